//! Limits of a turn.

pub(crate) mod few_tokens;
pub(crate) mod rate_limit;
pub(crate) mod retry;

use super::ChatError;
use std::time::Duration;

/// The maximum number of calls from one completion that run at the same time.
pub const PARALLEL_CALLS: usize = 8;

/// The maximum number of calls from one completion that the history keeps. If a completion has more, the first 127 run, the next
/// one gets an error that asks the model to send fewer calls, and the rest are dropped.
pub const MAX_CALLS: usize = 128;

/// The maximum size of one completion in bytes, measured by its events. Text counts twice, in its pieces and as a complete part,
/// and each event adds 16 bytes. A larger completion causes [`ModelError::Protocol`](super::ModelError::Protocol).
pub const MAX_COMPLETION_BYTES: usize = 8 << 20;

/// The limits of one turn. Each [`send`](super::Chat::send), [`resume`](super::Chat::resume) and [`decide`](super::Chat::decide)
/// starts with fresh limits.
///
/// ```
/// use skill_agent::chat::Limits;
/// use std::time::Duration;
///
/// let limits = Limits::default().steps(10).time(Duration::from_secs(60));
/// assert_eq!(limits.steps, 10);
/// ```
///
/// A struct literal is a compile error (E0639). Use the method of each field instead, as in `Limits::default().steps(5)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// The maximum number of steps. Retries do not count as steps; [`Retries`](super::Retries) limits them.
    pub steps: usize,
    /// The maximum number of tokens in all requests and completions, including failed attempts. The chat checks the limit before
    /// each request. If the provider does not count the tokens, the chat estimates them, except for failed attempts.
    pub tokens: u64,
    /// The maximum duration of the turn.
    pub time: Duration,
    /// How many times in a row the model may make the same call. One more such call does not run and ends the turn.
    pub identical_calls: usize,
}

impl Default for Limits {
    /// Returns 50 steps, two million tokens, 30 minutes, and two identical calls in a row. A third identical call does not run.
    fn default() -> Self {
        Self {
            steps: 50,
            tokens: 2_000_000,
            time: Duration::from_secs(30 * 60),
            identical_calls: 2,
        }
    }
}

impl Limits {
    skill_core::setters! {
        /// Sets the maximum number of steps.
        pub fn steps(steps: usize) { steps = steps }

        /// Sets the maximum number of tokens.
        pub fn tokens(tokens: u64) { tokens = tokens }

        /// Sets the maximum duration.
        pub fn time(time: Duration) { time = time }

        /// Sets the maximum number of identical calls in a row.
        pub fn identical_calls(times: usize) { identical_calls = times }
    }

    /// Returns an error if a limit is zero.
    pub(super) fn check(&self) -> Result<(), ChatError> {
        let (request, call) = ("request could be sent", "call could be run");
        let limits = [
            ("steps", self.steps == 0, request),
            ("tokens", self.tokens == 0, request),
            ("time", self.time.is_zero(), request),
            ("identical_calls", self.identical_calls == 0, call),
        ];
        match limits.into_iter().find(|(_, is_zero, _)| *is_zero) {
            Some((name, _, what)) => Err(ChatError::Setting(format!(
                "`Limits::{name}` is 0, so that no {what}; leave it out for the default"
            ))),
            None => Ok(()),
        }
    }
}
