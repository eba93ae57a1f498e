//! Retries of failed requests.

use crate::{ChatError, ModelError};
use skill_agent_server::children::Backoff;
use std::time::Duration;

/// Settings for retrying failed requests.
///
/// Only [retryable](ModelError::is_retryable) errors cause a retry. The chat waits for the delay that the provider asks for. If the
/// provider asks for none, `backoff` sets the delay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Retries {
    /// The maximum number of attempts for one request.
    pub attempts: u32,
    /// The delays between attempts, by attempt number.
    pub backoff: Backoff,
    /// The maximum delay that a provider may ask for. If it asks for a longer delay, the request fails at once.
    pub longest_wait: Duration,
    /// How long a stream may be silent before it counts as stalled.
    pub stall: Duration,
}

impl Default for Retries {
    /// Returns five attempts with delays of 1, 2, 4 and 8 seconds. A provider may ask for a delay of up to two minutes, and a
    /// stream may be silent for five minutes.
    fn default() -> Self {
        let second = Duration::from_secs(1);
        Self {
            attempts: 5,
            backoff: Backoff::new(second, 2, 30 * second),
            longest_wait: 120 * second,
            stall: 300 * second,
        }
    }
}

impl Retries {
    /// Creates settings without retries.
    pub fn none() -> Self {
        Self::default().attempts(1)
    }

    skill_core::setters! {
        /// Sets the maximum number of attempts for one request.
        pub fn attempts(attempts: u32) { attempts = attempts }

        /// Sets the delays between attempts.
        pub fn backoff(backoff: Backoff) { backoff = backoff }

        /// Sets the maximum delay that a provider may ask for.
        pub fn longest_wait(wait: Duration) { longest_wait = wait }

        /// Sets how long a stream may be silent before it counts as stalled.
        pub fn stall(stall: Duration) { stall = stall }
    }

    /// Returns an error if the stall time is zero.
    pub(crate) fn check(&self) -> Result<(), ChatError> {
        if self.stall.is_zero() {
            let problem = "`Retries::stall` is 0, so that every request would fail; leave it out for the default";
            return Err(ChatError::Setting(problem.to_owned()));
        }
        Ok(())
    }

    /// Returns the delay before the attempt with this number, or `None` to give up. The first retry is attempt 2.
    pub(crate) fn wait(&self, error: &ModelError, attempt: u32) -> Option<Duration> {
        if attempt > self.attempts || !error.is_retryable() {
            return None;
        }
        match error.retry_after() {
            Some(wait) => (wait <= self.longest_wait).then_some(wait),
            None => Some(self.backoff.wait(attempt)),
        }
    }
}
