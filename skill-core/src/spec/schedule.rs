//! [`ScheduleSpec`]: a schedule that an agent declares.

use crate::directive::{Repeat, Rhythm};
use serde::Serialize;

/// A schedule in `schedules: [...]` of `agent!`. Every server of the agent has it from its start on.
///
/// ```
/// use skill_core::directive::every;
/// use skill_core::spec::ScheduleSpec;
/// use std::time::Duration;
/// const HOURLY: ScheduleSpec = ScheduleSpec::new("hourly", every(Duration::from_secs(3600)), "feed.fetch");
/// assert_eq!(HOURLY.signal, "feed.fetch");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ScheduleSpec {
    /// The name, unique within the agent.
    pub name: &'static str,
    /// The times of its runs.
    pub repeat: Repeat,
    /// The type of the signal that each run delivers. Its data is an empty object.
    pub signal: &'static str,
}

impl ScheduleSpec {
    /// Creates a spec.
    pub const fn new(name: &'static str, repeat: Repeat, signal: &'static str) -> Self {
        Self {
            name,
            repeat,
            signal,
        }
    }
}

/// Panics in const evaluation if the interval of a schedule is too short. `agent!` calls this at the rhythm.
#[track_caller]
pub const fn report_schedule(spec: &ScheduleSpec) {
    if let Rhythm::Every(interval) = &spec.repeat.rhythm {
        assert!(
            interval.as_millis() > 0,
            "the interval of a schedule is at least a millisecond, as in `every(Duration::from_secs(3600))`"
        );
    }
}
