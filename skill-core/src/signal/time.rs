//! RFC 3339, the format of times in CloudEvents.

use jiff::Timestamp;
use std::borrow::Cow;
use std::time::SystemTime;

/// The number of fraction digits kept: nanoseconds. RFC 3339 allows any number of digits.
const DIGITS: usize = 9;

/// The length of `2026-01-02T03:04:05`. An optional fraction and the offset follow.
const SECONDS_END: usize = 19;

/// Parses a time. Returns `None` for six-digit years, times without seconds, and time zone names, which jiff would accept.
pub(super) fn read(text: &str) -> Option<SystemTime> {
    let (date_time, rest) = text.split_at_checked(SECONDS_END)?;
    let is_expected = |(position, byte): (usize, u8)| match position {
        4 | 7 => byte == b'-',
        10 => byte == b'T' || byte == b't',
        13 | 16 => byte == b':',
        _ => byte.is_ascii_digit(),
    };
    let fraction = match rest.strip_prefix('.') {
        Some(digits) => 1 + digits.bytes().take_while(u8::is_ascii_digit).count(),
        None => 0,
    };
    let (fraction, offset) = rest.split_at_checked(fraction)?;
    if !date_time.bytes().enumerate().all(is_expected) || fraction.len() == 1 || !is_offset(offset)
    {
        return None;
    }
    let text = match fraction.get(..=DIGITS) {
        Some(kept) => Cow::Owned(format!("{date_time}{kept}{offset}")),
        None => Cow::Borrowed(text),
    };
    let time = text.parse::<Timestamp>().ok()?;
    // in UTC, the time may be outside the years that RFC 3339 can represent
    (time >= FIRST).then(|| time.into())
}

/// 0000-01-01T00:00:00Z.
const FIRST: Timestamp = Timestamp::constant(-62_167_219_200, 0);

/// Returns the nearest time that RFC 3339 can represent.
pub(super) fn nearest(time: SystemTime) -> SystemTime {
    match Timestamp::try_from(time) {
        Ok(written) if written >= FIRST => time,
        Err(_) if time > SystemTime::UNIX_EPOCH => Timestamp::MAX.into(),
        _ => FIRST.into(),
    }
}

fn is_offset(text: &str) -> bool {
    match text.as_bytes() {
        b"Z" | b"z" => true,
        [b'+' | b'-', h1, h2, b':', m1, m2] => {
            let number = |tens: &u8, ones: &u8| {
                let digits = tens.is_ascii_digit() && ones.is_ascii_digit();
                digits.then(|| (tens - b'0') * 10 + (ones - b'0'))
            };
            number(h1, h2).is_some_and(|hours| hours < 24)
                && number(m1, m2).is_some_and(|minutes| minutes < 60)
        }
        _ => false,
    }
}

/// Formats a time in UTC. Returns `None` for years that do not have four digits.
pub(super) fn write(time: SystemTime) -> Option<String> {
    let text = Timestamp::try_from(time).ok()?.to_string();
    (!text.starts_with('-')).then_some(text)
}
