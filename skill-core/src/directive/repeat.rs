//! The rhythm of a schedule that repeats. This crate has no clock, so a server reads the texts and computes the times.

use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::time::Duration;

/// The times of a schedule that repeats, and the rule for missed runs. Created by [`every`] and [`cron`].
///
/// ```
/// use skill_core::directive::{Missed, Repeat, every};
/// use std::time::Duration;
/// const HOURLY: Repeat = every(Duration::from_secs(3600)).missed(Missed::None);
/// assert_eq!(HOURLY.to_string(), "every 3600s");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Repeat {
    /// The times of the runs.
    pub rhythm: Rhythm,
    /// The rule for missed runs.
    #[serde(default)]
    pub missed: Missed,
}

/// The times of a repeating schedule's runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rhythm {
    /// At a fixed rate: one interval after the schedule is made, two intervals after it, and so on.
    Every(Duration),
    /// At the times of a cron expression.
    #[non_exhaustive]
    Cron {
        /// The expression, such as `0 9 * * *`.
        expression: Cow<'static, str>,
        /// The IANA name of the time zone, such as `Europe/Berlin`.
        zone: Cow<'static, str>,
    },
}

/// The rule for missed runs of a repeating schedule.
///
/// A run is missed if the server could not begin it before the next run was due: it was down, or its clock was set forward. For
/// [`None`](Self::None), it is also missed one minute after it was due.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Missed {
    /// One run takes the place of all missed ones.
    #[default]
    Once,
    /// The missed runs take place one after another.
    All,
    /// The missed runs do not take place.
    None,
}

/// Repeats at a fixed rate. The first run is due after one interval. Servers count whole milliseconds, and refuse an interval of
/// less than one.
///
/// ```
/// use skill_core::directive::{Rhythm, every};
/// use std::time::Duration;
/// assert_eq!(every(Duration::from_secs(60)).rhythm, Rhythm::Every(Duration::from_secs(60)));
/// ```
pub const fn every(interval: Duration) -> Repeat {
    Repeat {
        rhythm: Rhythm::Every(interval),
        missed: Missed::Once,
    }
}

/// Repeats at the times of a cron expression in a time zone, such as `cron("0 9 * * 1-5", "Europe/Berlin")`: at nine on working days.
/// For texts that are not known at compile time, use [`Repeat::cron`].
///
/// A server reads both texts, and refuses wrong ones. It needs the feature `cron` of `skill-agent`.
pub const fn cron(expression: &'static str, zone: &'static str) -> Repeat {
    Repeat {
        rhythm: Rhythm::Cron {
            expression: Cow::Borrowed(expression),
            zone: Cow::Borrowed(zone),
        },
        missed: Missed::Once,
    }
}

impl Repeat {
    /// Like the function [`cron`], for texts that are not known at compile time, such as a user's.
    pub fn cron(
        expression: impl Into<Cow<'static, str>>,
        zone: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self {
            rhythm: Rhythm::Cron {
                expression: expression.into(),
                zone: zone.into(),
            },
            missed: Missed::default(),
        }
    }

    /// Sets what happens to runs that were missed. The default is [`Missed::Once`].
    #[must_use]
    pub const fn missed(mut self, missed: Missed) -> Self {
        self.missed = missed;
        self
    }
}

/// Writes the rhythm as in code: `every 60s`, or `cron "0 9 * * *" in "Europe/Berlin"`.
impl std::fmt::Display for Repeat {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.rhythm {
            Rhythm::Every(interval) => write!(f, "every {interval:?}"),
            Rhythm::Cron { expression, zone } => write!(f, "cron {expression:?} in {zone:?}"),
        }
    }
}

/// The next run of a repeating schedule. A server sets it.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NextRun {
    /// When the run is due, in milliseconds since the Unix epoch.
    pub due: u64,
    /// The number of the directive that began the schedule. `None` for the first run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first: Option<u64>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Signal;
    use crate::directive::Schedule;
    use serde_json::json;

    /// The names are a file format.
    #[test]
    fn schedules_are_stored_as_before_and_repeat_in_new_fields() {
        let once = Schedule::new(Duration::from_secs(1), Signal::without_data("a.b"));
        let stored = serde_json::to_value(&once).unwrap();
        let names: Vec<_> = stored.as_object().unwrap().keys().collect();
        assert_eq!(names.len(), 3, "{names:?}");
        assert_eq!(serde_json::from_value::<Schedule>(stored).unwrap(), once);

        let mut daily =
            Schedule::repeating(cron("0 9 * * *", "UTC").missed(Missed::All), once.signal);
        daily.next = Some(NextRun {
            due: 7,
            first: Some(3),
        });
        let stored = serde_json::to_value(&daily).unwrap();
        let rhythm = json!({ "cron": { "expression": "0 9 * * *", "zone": "UTC" } });
        assert_eq!(
            stored["repeat"],
            json!({ "rhythm": rhythm, "missed": "all" })
        );
        assert_eq!(stored["next"], json!({ "due": 7, "first": 3 }));
        assert_eq!(serde_json::from_value::<Schedule>(stored).unwrap(), daily);
        let every = serde_json::to_value(every(Duration::from_secs(60))).unwrap();
        let rhythm = json!({ "every": { "secs": 60, "nanos": 0 } });
        assert_eq!(every, json!({ "rhythm": rhythm, "missed": "once" }));
    }
}
