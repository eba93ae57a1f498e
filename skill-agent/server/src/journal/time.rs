//! Times in the log: milliseconds since the Unix epoch.

use skill_core::directive::Schedule;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Converts a time to milliseconds since the Unix epoch.
pub fn millis(time: SystemTime) -> u64 {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// Converts milliseconds since the Unix epoch to a time.
pub fn time(millis: u64) -> SystemTime {
    later(UNIX_EPOCH, Duration::from_millis(millis))
}

/// Returns when a signal is due that is scheduled at `now`.
pub(crate) fn due(schedule: &Schedule, now: SystemTime) -> SystemTime {
    match schedule.next {
        Some(next) => time(next.due),
        None => later(now, schedule.after),
    }
}

/// Adds a duration to a time. If `SystemTime` cannot represent the sum, returns two hundred years after `now`.
pub(crate) fn later(now: SystemTime, after: Duration) -> SystemTime {
    const LONG: Duration = Duration::from_secs(200 * 366 * 24 * 3600);
    now.checked_add(after)
        .or_else(|| now.checked_add(LONG))
        .unwrap_or(now)
}
