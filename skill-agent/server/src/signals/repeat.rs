//! The times of schedules that repeat, in milliseconds since the Unix epoch.

use crate::error::RepeatError;
use skill_core::directive::{Missed, Repeat, Rhythm};

/// How late a run of [`Missed::None`] may begin. A server notices within a second that its clock was set forward.
const LATE: u64 = 60_000;

/// Returns the first run after the time `after`. `run` is the time of an earlier run, or of the call that schedules the first one.
/// Returns `None` if there are no more runs.
pub(crate) fn next_run(repeat: &Repeat, run: u64, after: u64) -> Result<Option<u64>, RepeatError> {
    match &repeat.rhythm {
        Rhythm::Every(interval) => {
            let millis = u64::try_from(interval.as_millis()).unwrap_or(u64::MAX);
            let passed = after.saturating_sub(run).checked_div(millis);
            let passed = passed.ok_or(RepeatError::Interval {
                interval: *interval,
            })?;
            let left = passed.saturating_add(1).saturating_mul(millis);
            Ok(Some(run.saturating_add(left)))
        }
        #[cfg(feature = "cron")]
        Rhythm::Cron {
            expression, zone, ..
        } => super::cron::next_time(expression, zone, after),
        #[cfg(not(feature = "cron"))]
        Rhythm::Cron { expression, .. } => Err(RepeatError::NoCron {
            expression: expression.to_string(),
        }),
    }
}

/// Returns the run that takes place at the time `now`, when the run due at `due` is the first one that waits.
pub(crate) fn present_run(repeat: &Repeat, due: u64, now: u64) -> Option<u64> {
    if repeat.missed != Missed::None {
        return Some(due);
    }
    let on_time = now.saturating_sub(LATE);
    let mut present = (due >= on_time).then_some(due);
    let mut after = due.max(on_time.saturating_sub(1));
    while let Ok(Some(run)) = next_run(repeat, due, after)
        && run <= now
    {
        (present, after) = (Some(run), run);
    }
    present
}

/// Returns the run after the one that was due at `due` and began at `began`.
pub(crate) fn following_run(repeat: &Repeat, due: u64, began: u64) -> Option<u64> {
    let after = match repeat.missed {
        Missed::All => due,
        _ => due.max(began),
    };
    next_run(repeat, due, after).ok().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use skill_core::directive::every;
    use std::time::Duration;

    const MINUTE: u64 = 60_000;

    fn every_minute(missed: Missed) -> Repeat {
        every(Duration::from_millis(MINUTE)).missed(missed)
    }

    #[test]
    fn runs_are_multiples_of_the_interval_after_the_first() {
        let repeat = every_minute(Missed::Once);
        for (after, next) in [
            (7, 60_007),
            (60_006, 60_007),
            (60_007, 120_007),
            (600_000, 600_007),
        ] {
            assert_eq!(next_run(&repeat, 7, after), Ok(Some(next)), "{after}");
        }
    }

    #[test]
    fn short_intervals_are_refused_and_long_ones_never_end() {
        for interval in [Duration::ZERO, Duration::from_micros(999)] {
            assert_eq!(
                next_run(&every(interval), 7, 7),
                Err(RepeatError::Interval { interval })
            );
        }
        let (now, most) = (1_800_000_000_000, u64::MAX);
        let long = [Duration::MAX, Duration::from_millis(most)];
        for interval in long {
            assert_eq!(next_run(&every(interval), now, now), Ok(Some(most)));
            assert_eq!(next_run(&every(interval), most, most), Ok(Some(most)));
        }
    }

    #[test]
    #[cfg(not(feature = "cron"))]
    fn a_cron_expression_needs_its_feature() {
        let daily = skill_core::directive::cron("0 9 * * *", "UTC");
        assert_eq!(
            next_run(&daily, 0, 0).unwrap_err().to_string(),
            "reading the cron expression `0 9 * * *` needs the feature `cron` of `skill-agent`; add it in Cargo.toml"
        );
    }

    #[test]
    fn missed_runs_take_place_once_all_or_not() {
        let (due, down) = (MINUTE, 10 * MINUTE + 1);
        let following = |missed| following_run(&every_minute(missed), due, down);
        assert_eq!(following(Missed::Once), Some(11 * MINUTE));
        assert_eq!(following(Missed::All), Some(2 * MINUTE));
        assert_eq!(following(Missed::None), Some(11 * MINUTE));
        // the clock was set back during the run
        assert_eq!(
            following_run(&every_minute(Missed::Once), due, 0),
            Some(2 * MINUTE)
        );
    }

    #[test]
    fn without_missed_runs_the_last_one_takes_place_within_a_minute() {
        let due = 60 * MINUTE;
        let hourly = every(Duration::from_millis(due));
        for (missed, now, expected) in [
            (Missed::None, due, Some(due)),
            (Missed::None, due + MINUTE, Some(due)),
            (Missed::None, due + MINUTE + 1, None),
            (Missed::None, 5 * due + MINUTE, Some(5 * due)),
            (Missed::None, 5 * due - 1, None),
            (Missed::Once, 5 * due - 1, Some(due)),
            (Missed::All, 5 * due - 1, Some(due)),
        ] {
            let repeat = hourly.clone().missed(missed);
            assert_eq!(present_run(&repeat, due, now), expected, "{missed:?} {now}");
        }
        let often = every(Duration::from_secs(10)).missed(Missed::None);
        assert_eq!(present_run(&often, 10_000, 39_999), Some(30_000));
    }
}
