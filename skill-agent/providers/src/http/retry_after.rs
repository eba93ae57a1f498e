//! Delays that a provider asks for.

use std::time::Duration;

use jiff::Timestamp;
use jiff::fmt::rfc2822::DateTimeParser;
use reqwest::header::{DATE, HeaderMap, RETRY_AFTER};

/// Returns the delay that the response's headers ask for: in milliseconds, in seconds, or until a time. If the headers contain
/// the server's time, it counts as the current time.
pub(crate) fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let text = |name: &str| headers.get(name)?.to_str().ok().map(str::trim);
    if let Some(milliseconds) = text("retry-after-ms").and_then(|text| text.parse::<f64>().ok()) {
        return seconds(milliseconds / 1000.0);
    }
    let asked = text(RETRY_AFTER.as_str())?;
    if let Ok(number) = asked.parse::<f64>() {
        return seconds(number);
    }
    let until = date(asked)?;
    let now = text(DATE.as_str()).and_then(date);
    let wait = until.duration_since(now.unwrap_or_else(Timestamp::now));
    // a time in the past means no delay
    Some(Duration::try_from(wait).unwrap_or_default())
}

/// Returns the delay that a message asks for, such as `Please try again in 1m20.5s.`
pub(crate) fn in_words(message: &str) -> Option<Duration> {
    const BEFORE: [&str; 9] = [
        "try again in",
        "try again after",
        "retry in",
        "retry after",
        "available again in",
        "wait for",
        "wait",
        "resets in",
        "reset in",
    ];
    let message = message.to_lowercase();
    let behind = |words: &&str| message.split_once(*words).map(|(_, behind)| behind);
    BEFORE.iter().filter_map(behind).find_map(duration)
}

/// Parses the duration at the beginning of a string, such as `7.5s`, `1h 2m` or `20 seconds`.
pub(crate) fn duration(text: &str) -> Option<Duration> {
    let (mut rest, mut total) = (text.trim_start(), None);
    loop {
        let is_number = |c: char| c.is_ascii_digit() || c == '.';
        let unit = rest.trim_start_matches(is_number);
        let number = rest[..rest.len() - unit.len()].parse::<f64>();
        let unit = unit.trim_start();
        rest = unit.trim_start_matches(|c: char| c.is_ascii_alphabetic());
        let unit = match &unit[..unit.len() - rest.len()] {
            "ms" | "millisecond" | "milliseconds" => 0.001,
            "s" | "sec" | "secs" | "second" | "seconds" => 1.0,
            "m" | "min" | "mins" | "minute" | "minutes" => 60.0,
            "h" | "hr" | "hrs" | "hour" | "hours" => 3_600.0,
            "d" | "day" | "days" => 86_400.0,
            _ => return total,
        };
        let Ok(number) = number else { return total };
        let part = seconds(number * unit)?;
        total = Some(total.unwrap_or(Duration::ZERO).checked_add(part)?);
        rest = rest.trim_start();
    }
}

pub(crate) fn seconds(number: f64) -> Option<Duration> {
    Duration::try_from_secs_f64(number).ok()
}

fn date(text: &str) -> Option<Timestamp> {
    DateTimeParser::new().parse_timestamp(text).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use reqwest::header::{HeaderName, HeaderValue};

    fn of(headers: &[(&'static str, &'static str)]) -> Option<Duration> {
        let header = |&(name, value)| {
            (
                HeaderName::from_static(name),
                HeaderValue::from_static(value),
            )
        };
        retry_after(&headers.iter().map(header).collect())
    }

    #[test]
    fn a_wait_is_read_in_words() {
        for (message, milliseconds) in [
            ("Please try again in 20s.", 20_000),
            ("Please try again in 6m0s. Visit the page.", 360_000),
            ("Please try again in 1h2m3.5s", 3_723_500),
            ("Rate limited. TRY AGAIN IN 120ms", 120),
            ("Please retry after 12 seconds.", 12_000),
            ("Please retry in 7.25s.", 7_250),
            ("Resets in 6hr 29min.", 23_340_000),
            ("You must wait 1 minute before", 60_000),
        ] {
            let wait = Duration::from_millis(milliseconds);
            assert_eq!(in_words(message), Some(wait), "{message}");
        }
        for without in [
            "Try again in a while.",
            "retry after 12",
            "in 20s",
            "wait -5s",
            "wait 1e400s",
            "try again in 99999999999999999999999999d",
        ] {
            assert_eq!(in_words(without), None, "{without}");
        }
    }

    #[test]
    fn a_wait_is_given_in_seconds_in_milliseconds_or_as_a_date() {
        assert_eq!(of(&[]), None);
        assert_eq!(of(&[("retry-after", "20")]), Some(Duration::from_secs(20)));
        assert_eq!(
            of(&[("retry-after", "0.5")]),
            Some(Duration::from_millis(500))
        );
        let both = [("retry-after", "1"), ("retry-after-ms", "250")];
        assert_eq!(of(&both), Some(Duration::from_millis(250)));
        let date = ("date", "Sun, 06 Nov 1994 08:49:07 GMT");
        let until = ("retry-after", "Sun, 06 Nov 1994 08:49:37 GMT");
        assert_eq!(of(&[until, date]), Some(Duration::from_secs(30)));
        // a time in the past means no delay
        assert_eq!(of(&[until]), Some(Duration::ZERO));
        for malformed in ["soon", "-1", "NaN", "1e300", ""] {
            assert_eq!(of(&[("retry-after", malformed)]), None, "{malformed}");
        }
    }
}
