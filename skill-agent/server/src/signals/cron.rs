//! The times of cron expressions in time zones.
//!
//! `croner` reads the expression and walks over civil times, which have no zone. The zone then gives each of them one instant, in
//! the same order. `croner` can search in a zone too, but then it repeats `*/10 * * * *` in an hour that comes twice, and skips it in
//! one that does not exist, unlike a fixed time such as `30 2 * * *`.

use crate::error::RepeatError;
use croner::Cron;
use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::{AmbiguousOffset, TimeZone, TimeZoneDatabase};
use std::str::FromStr;

/// Returns the first time after `after`, in milliseconds since the Unix epoch, or `None` after the last time.
pub(super) fn next_time(
    expression: &str,
    zone: &str,
    after: u64,
) -> Result<Option<u64>, RepeatError> {
    let cron = Cron::from_str(expression).map_err(|error| RepeatError::Expression {
        expression: expression.to_owned(),
        reason: error.to_string().trim_end_matches('.').to_owned(),
    })?;
    let found = TimeZone::get(zone);
    // the system's rules may not be readable for a moment, and a schedule must not end because of that
    let found = found.or_else(|_| TimeZoneDatabase::bundled().get(zone));
    let zone = found.map_err(|_| RepeatError::Zone {
        expression: expression.to_owned(),
        zone: zone.to_owned(),
    })?;
    Ok(search(&cron, &zone, after))
}

fn search(cron: &Cron, zone: &TimeZone, after: u64) -> Option<u64> {
    let after = Timestamp::from_millisecond(i64::try_from(after).ok()?).ok()?;
    let mut civil = zone.to_datetime(after).to_zoned(TimeZone::UTC).ok()?;
    loop {
        civil = cron.find_next_occurrence(&civil, false).ok()?;
        let next = instant(zone, civil.datetime())?;
        // in an hour that comes twice, a time after `after` may have had its instant in the first one
        if next > after {
            return u64::try_from(next.as_millisecond()).ok();
        }
    }
}

/// Returns the instant of a civil time: the first one if the time comes twice, and the next time that exists if it is skipped.
fn instant(zone: &TimeZone, civil: DateTime) -> Option<Timestamp> {
    match zone.to_ambiguous_timestamp(civil).offset() {
        AmbiguousOffset::Unambiguous { offset } => offset.to_timestamp(civil).ok(),
        AmbiguousOffset::Fold { before, .. } => before.to_timestamp(civil).ok(),
        AmbiguousOffset::Gap { after, .. } => {
            let earlier = after.to_timestamp(civil).ok()?;
            let transition = zone.following(earlier).next()?;
            Some(transition.timestamp())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signals::repeat::{following_run, next_run, present_run};
    use skill_core::directive::{Missed, Repeat};

    /// Times from another implementation, which walks over the minutes; see `tests/cron/oracle.py`.
    const CASES: &str = include_str!("../../../../tests/cron/cases.txt");

    fn millis(seconds: &str) -> u64 {
        seconds.parse::<u64>().unwrap() * 1000
    }

    #[test]
    fn every_time_is_that_of_the_oracle() {
        let (mut nexts, mut jumps) = (0, 0);
        for line in CASES.lines().filter(|line| !line.starts_with('#')) {
            let fields: Vec<_> = line.split('|').collect();
            match fields[..] {
                ["next", zone, expression, after, next] => {
                    let found = next_time(expression, zone, millis(after));
                    assert_eq!(found, Ok(Some(millis(next))), "{line}");
                    nexts += 1;
                }
                ["jump", zone, expression, start, now, option, runs, next] => {
                    let missed = match option {
                        "once" => Missed::Once,
                        "all" => Missed::All,
                        _ => Missed::None,
                    };
                    let repeat = Repeat::cron(expression.to_owned(), zone.to_owned());
                    let (start, now) = (millis(start), millis(now));
                    let (found, following) = after_jump(&repeat.missed(missed), start, now);
                    let runs = runs.split(',').filter(|run| !run.is_empty());
                    assert_eq!(found, runs.map(millis).collect::<Vec<_>>(), "{line}");
                    assert_eq!(following, millis(next), "{line}");
                    jumps += 1;
                }
                _ => panic!("{line}"),
            }
        }
        assert!(nexts >= 600 && nexts + jumps >= 1000, "{nexts} {jumps}");
    }

    /// The runs that take place at `now`, and the next one, as a server finds them.
    fn after_jump(repeat: &Repeat, start: u64, now: u64) -> (Vec<u64>, u64) {
        let (mut runs, mut due) = (Vec::new(), next_run(repeat, start, start).unwrap().unwrap());
        while due <= now {
            runs.extend(present_run(repeat, due, now));
            due = following_run(repeat, due, now).unwrap();
        }
        (runs, due)
    }

    #[test]
    fn wrong_texts_and_zones_are_named() {
        let of = |expression, zone| match next_time(expression, zone, 0) {
            Ok(next) => format!("{next:?}"),
            Err(error) => error.to_string(),
        };
        let form = "it has five fields, as in `0 9 * * 1-5`: minute, hour, day of the month, month, and day of the week";
        for (text, reason) in [
            ("", "CronPattern cannot be an empty string"),
            ("0 9 * *", "Invalid pattern"),
        ] {
            let error = of(text, "UTC");
            let start = format!("`{text}` is not a cron expression ({reason}");
            assert!(
                error.starts_with(&start) && error.ends_with(form),
                "{error}"
            );
        }
        assert_eq!(
            of("0 9 * * *", "Europe/Berln"),
            "the time zone `Europe/Berln` of the cron expression `0 9 * * *` is unknown; write an IANA name, such as \
             `Europe/Berlin` or `UTC`"
        );
        // no 30 February, and no time after the year 9999
        assert_eq!(of("0 0 30 2 *", "UTC"), "None");
        assert_eq!(next_time("* * * * *", "UTC", u64::MAX), Ok(None));
        assert_eq!(next_time("* * * * *", "UTC", 0), Ok(Some(60_000)));
    }
}
