//! How long a provider asks to wait.

use std::time::Duration;

use jiff::Timestamp;
use jiff::fmt::rfc2822::DateTimeParser;
use reqwest::header::{DATE, HeaderMap, RETRY_AFTER};

/// The wait that the headers of a response ask for: in milliseconds, in seconds, or until a time. The time is compared with the server's
/// clock, if the response has it.
pub(super) fn retry_after(headers: &HeaderMap) -> Option<Duration> {
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
    // a time that is past
    Some(Duration::try_from(wait).unwrap_or_default())
}

fn seconds(number: f64) -> Option<Duration> {
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
        // past: now
        assert_eq!(of(&[until]), Some(Duration::ZERO));
        for malformed in ["soon", "-1", "NaN", "1e300", ""] {
            assert_eq!(of(&[("retry-after", malformed)]), None, "{malformed}");
        }
    }
}
