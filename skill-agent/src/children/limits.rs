//! How often and how soon children are started again.

use std::time::Duration;

/// How many restarts of all children of a server together are borne: OTP's restart intensity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RestartLimits {
    /// The maximum number of restarts within the time; the next one ends the server.
    pub max_restarts: u32,
    /// The time in which restarts are counted.
    pub within: Duration,
}

impl RestartLimits {
    /// At most `max_restarts` restarts in any `within`.
    pub fn new(max_restarts: u32, within: Duration) -> Self {
        Self {
            max_restarts,
            within,
        }
    }
}

impl Default for RestartLimits {
    /// 3 in 5 seconds.
    fn default() -> Self {
        Self::new(3, Duration::from_secs(5))
    }
}

/// The waits before restarts of a child. They are deterministic: no jitter is added.
///
/// The first restart is immediate, the second comes after `first`, each further one after `factor` times the wait before,
/// and none later than `max`. A child that ran for the time of [`RestartLimits::within`] starts again with an immediate
/// restart.
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
    /// The wait before the second restart.
    pub first: Duration,
    /// The factor of each further wait.
    pub factor: u32,
    /// The longest wait.
    pub max: Duration,
}

impl Backoff {
    /// Waits that begin with `first` and grow by `factor` up to `max`.
    pub fn new(first: Duration, factor: u32, max: Duration) -> Self {
        Self { first, factor, max }
    }

    /// The wait before the restart number `attempt`, from 1.
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
    /// 100 milliseconds, doubled up to 30 seconds.
    fn default() -> Self {
        Self::new(Duration::from_millis(100), 2, Duration::from_secs(30))
    }
}
