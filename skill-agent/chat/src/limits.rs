//! Limits of a turn.

use super::ChatError;
use std::time::Duration;

/// The most calls of one completion that run at the same time.
pub const PARALLEL_CALLS: usize = 8;

/// The most calls of one completion in the history. Of a completion with more, the first 127 are run; the result of the next one is an
/// error that asks the model to send fewer, and the rest are left out.
pub const MAX_CALLS: usize = 128;

/// The most bytes of one completion, by its events: a text counts in its pieces and as a whole, and each event has 16 bytes more. A
/// larger one is [`ModelError::Protocol`](super::ModelError::Protocol).
pub const MAX_COMPLETION_BYTES: usize = 8 << 20;

/// How much one turn may take. Every [`send`](super::Chat::send), [`resume`](super::Chat::resume) and
/// [`decide`](super::Chat::decide) begins with fresh limits.
///
/// ```
/// use skill_agent::chat::Limits;
/// use std::time::Duration;
///
/// let limits = Limits::default().steps(10).time(Duration::from_secs(60));
/// assert_eq!(limits.steps, 10);
/// ```
///
/// A literal of the struct is E0639; each field has a function, as in `Limits::default().steps(5)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// The most steps. A request that is sent again is no further step; [`Retries`](super::Retries) limit the attempts.
    pub steps: usize,
    /// The most tokens of all requests and completions, with attempts that failed. It is checked between steps; what a provider does not
    /// count is estimated, except for attempts that failed.
    pub tokens: u64,
    /// The most time.
    pub time: Duration,
    /// How many times in a row the same call may be made; the next one is not run and ends the turn.
    pub identical_calls: usize,
}

impl Default for Limits {
    /// 50 steps, two million tokens, 30 minutes, and two identical calls: the third is not run.
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
    /// The limits with the most steps.
    #[must_use]
    pub fn steps(mut self, steps: usize) -> Self {
        self.steps = steps;
        self
    }

    /// The limits with the most tokens.
    #[must_use]
    pub fn tokens(mut self, tokens: u64) -> Self {
        self.tokens = tokens;
        self
    }

    /// The limits with the most time.
    #[must_use]
    pub fn time(mut self, time: Duration) -> Self {
        self.time = time;
        self
    }

    /// The limits with how many times in a row the same call may be made.
    #[must_use]
    pub fn identical_calls(mut self, times: usize) -> Self {
        self.identical_calls = times;
        self
    }

    /// Refuses limits that leave room for nothing.
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
