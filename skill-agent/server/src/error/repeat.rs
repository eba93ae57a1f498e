//! Why a schedule cannot repeat.

use skill_core::directive::{Repeat, Rhythm};
use std::time::Duration;

/// Why the times of a repeating schedule cannot be computed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RepeatError {
    /// The interval is shorter than one millisecond.
    #[error(
        "its interval is {interval:?}; write one of at least a millisecond, such as `every(Duration::from_secs(60))`"
    )]
    #[non_exhaustive]
    Interval {
        /// The interval that was given to `every`.
        interval: Duration,
    },
    /// The program was built without the feature for cron expressions.
    #[error(
        "reading the cron expression `{expression}` needs the feature `cron` of `skill-agent`; add it in Cargo.toml"
    )]
    #[non_exhaustive]
    NoCron {
        /// The expression that was given to `cron`.
        expression: String,
    },
    /// The text is not a cron expression.
    #[error(
        "`{expression}` is not a cron expression ({reason}); it has five fields, as in `0 9 * * 1-5`: minute, hour, day of the month, month, and day of the week"
    )]
    #[non_exhaustive]
    Expression {
        /// The text that was given to `cron`.
        expression: String,
        /// The first mistake, as text.
        reason: String,
    },
    /// Neither the system nor this build has the time zone.
    #[error(
        "the time zone `{zone}` of the cron expression `{expression}` is unknown; write an IANA name, such as `Europe/Berlin` or `UTC`"
    )]
    #[non_exhaustive]
    Zone {
        /// The expression that was given with the zone.
        expression: String,
        /// The unknown zone.
        zone: String,
    },
    /// The expression has no time in the future.
    #[error("`{expression}` has no time in the future")]
    #[non_exhaustive]
    Never {
        /// The expression whose last time has passed, or that has none.
        expression: String,
    },
}

impl RepeatError {
    /// Returns the error for a rhythm without runs.
    pub(crate) fn never(repeat: &Repeat) -> Self {
        let expression = match &repeat.rhythm {
            Rhythm::Cron { expression, .. } => expression.to_string(),
            _ => repeat.to_string(),
        };
        Self::Never { expression }
    }
}
