//! How often children are restarted, and how soon.

use std::time::Duration;

/// The maximum number of restarts for all of a server's children together, like the restart intensity in OTP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RestartLimits {
    /// The number of restarts allowed within the time window. One more restart stops the server.
    pub max_restarts: u32,
    /// The length of the time window in which restarts are counted.
    pub within: Duration,
}

impl RestartLimits {
    /// Allows at most `max_restarts` restarts in any window of length `within`.
    pub fn new(max_restarts: u32, within: Duration) -> Self {
        Self {
            max_restarts,
            within,
        }
    }
}

impl Default for RestartLimits {
    /// Returns limits of at most 3 restarts in 5 seconds.
    fn default() -> Self {
        Self::new(3, Duration::from_secs(5))
    }
}

/// The delays before a child's restarts. They are deterministic: no jitter is added.
///
/// The first restart is immediate. The second restart is delayed by `first`, and each later one by `factor` times the previous
/// delay, up to `max`. Once the child has run for [`RestartLimits::within`], the delays start over.
///
/// ```
/// use skill_agent::children::Backoff;
/// use std::time::Duration;
///
/// let backoff = Backoff::new(Duration::from_secs(1), 3, Duration::from_secs(5));
/// let waits: Vec<_> = (1..=5).map(|attempt| backoff.wait(attempt).as_secs()).collect();
/// assert_eq!(waits, [0, 1, 3, 5, 5]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Backoff {
    /// The delay before the second restart.
    pub first: Duration,
    /// The factor between one delay and the next.
    pub factor: u32,
    /// The maximum delay.
    pub max: Duration,
}

impl Backoff {
    /// Creates a backoff whose delays start at `first` and grow by `factor`, up to `max`.
    pub fn new(first: Duration, factor: u32, max: Duration) -> Self {
        Self { first, factor, max }
    }

    /// Returns the delay before a restart. `attempt` is the number of the restart, starting at 1.
    pub fn wait(&self, attempt: u32) -> Duration {
        let Some(grown) = attempt.checked_sub(2) else {
            return Duration::ZERO;
        };
        self.first
            .saturating_mul(self.factor.saturating_pow(grown))
            .min(self.max)
    }
}

impl Default for Backoff {
    /// Returns delays that start at 100 milliseconds and double, up to 30 seconds.
    fn default() -> Self {
        Self::new(Duration::from_millis(100), 2, Duration::from_secs(30))
    }
}
