//! When a failed request is sent again.

use super::{ChatError, ModelError};
use skill_agent_server::children::Backoff;
use std::time::Duration;

/// How a chat deals with requests that fail.
///
/// Only errors that are [retryable](ModelError::is_retryable) are retried. The wait that a provider asks for counts, and otherwise the
/// back-off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Retries {
    /// The most attempts for one request.
    pub attempts: u32,
    /// The waits between them, by the number of the attempt.
    pub backoff: Backoff,
    /// The longest wait that a provider may ask for; a longer one is an error at once.
    pub longest_wait: Duration,
    /// How long a stream may send nothing.
    pub stall: Duration,
}

impl Default for Retries {
    /// Five attempts, after 1, 2, 4 and 8 seconds; at most two minutes on request of the provider; five minutes for a stream that sends
    /// nothing.
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
    /// No retries.
    pub fn none() -> Self {
        Self::default().attempts(1)
    }

    /// The retries with the most attempts for one request.
    #[must_use]
    pub fn attempts(mut self, attempts: u32) -> Self {
        self.attempts = attempts;
        self
    }

    /// The retries with another back-off.
    #[must_use]
    pub fn backoff(mut self, backoff: Backoff) -> Self {
        self.backoff = backoff;
        self
    }

    /// The retries with the longest wait that a provider may ask for.
    #[must_use]
    pub fn longest_wait(mut self, wait: Duration) -> Self {
        self.longest_wait = wait;
        self
    }

    /// The retries with the time that a stream may send nothing.
    #[must_use]
    pub fn stall(mut self, stall: Duration) -> Self {
        self.stall = stall;
        self
    }

    /// Refuses a stream that may never send anything.
    pub(super) fn check(&self) -> Result<(), ChatError> {
        if self.stall.is_zero() {
            let problem = "`Retries::stall` is 0, so that every request would fail; leave it out for the default";
            return Err(ChatError::Setting(problem.to_owned()));
        }
        Ok(())
    }

    /// The wait before the attempt with this number, if there is one. The first retry is 2.
    pub(super) fn wait(&self, error: &ModelError, attempt: u32) -> Option<Duration> {
        if attempt > self.attempts || !error.is_retryable() {
            return None;
        }
        match error.retry_after() {
            Some(wait) => (wait <= self.longest_wait).then_some(wait),
            None => Some(self.backoff.wait(attempt)),
        }
    }
}
