//! The spelling rules of names, checked while compiling wherever a spec is built by hand. The macros check the same
//! rules on the user's tokens; both are held to one table of cases in the tests.

use crate::routing::PatternFault;

/// A name of a skill or agent: `[a-z][a-z0-9_-]*`, at most 64 bytes.
pub(crate) const fn is_name(text: &str) -> bool {
    let bytes = text.as_bytes();
    if bytes.is_empty() || bytes.len() > 64 || !bytes[0].is_ascii_lowercase() {
        return false;
    }
    let mut i = 1;
    while i < bytes.len() {
        if !matches!(bytes[i], b'a'..=b'z' | b'0'..=b'9' | b'_' | b'-') {
            return false;
        }
        i += 1;
    }
    true
}

/// A state key: an ASCII Rust identifier, at most 64 bytes.
pub(crate) const fn is_state_key(text: &str) -> bool {
    let bytes = text.as_bytes();
    if bytes.is_empty() || bytes.len() > 64 || bytes[0].is_ascii_digit() {
        return false;
    }
    let mut i = 0;
    while i < bytes.len() {
        if !matches!(bytes[i], b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_') {
            return false;
        }
        i += 1;
    }
    true
}

/// A tool name: `[a-zA-Z0-9_-]{1,64}`, the set that every provider takes.
pub(crate) const fn is_tool_name(text: &str) -> bool {
    let bytes = text.as_bytes();
    if bytes.is_empty() || bytes.len() > 64 {
        return false;
    }
    let mut i = 0;
    while i < bytes.len() {
        if !matches!(bytes[i], b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'-') {
            return false;
        }
        i += 1;
    }
    true
}

/// A pattern over signal types: segments of `[a-zA-Z0-9_-]+`, `*` or `**` divided by dots; no `**` beside another.
pub(crate) const fn is_pattern(text: &str) -> bool {
    pattern_fault(text).is_none()
}

/// The type of a signal: a pattern that stands for one type only.
pub(crate) fn is_signal_type(text: &str) -> bool {
    is_pattern(text) && !text.contains('*')
}

/// What is wrong with a pattern, and at which byte. [`crate::Pattern`] tells it, [`is_pattern`] asks for no more.
pub(crate) const fn pattern_fault(text: &str) -> Option<(PatternFault, usize)> {
    let bytes = text.as_bytes();
    let (mut i, mut after_many) = (0, false);
    loop {
        let start = i;
        let mut stars = 0;
        while i < bytes.len() && bytes[i] != b'.' {
            match bytes[i] {
                b'*' => stars += 1,
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'-' => {}
                _ => return Some((PatternFault::Character, i)),
            }
            i += 1;
        }
        let length = i - start;
        if length == 0 {
            return Some((PatternFault::Empty, start));
        }
        if stars > 2 || (stars > 0 && stars != length) {
            return Some((PatternFault::PartOfSegment, start));
        }
        if stars == 2 && after_many {
            return Some((PatternFault::ManyTwice, start));
        }
        after_many = stars == 2;
        if i == bytes.len() {
            return None;
        }
        i += 1;
    }
}

#[cfg(test)]
mod tests {
    use crate::composition::is_version;

    /// The table that the macros are held to as well.
    const CASES: &str = include_str!("../../../tests/grammar/cases.txt");

    #[test]
    fn every_case_has_its_verdict() {
        for line in CASES.lines().filter(|line| !line.starts_with('#')) {
            let mut parts = line.splitn(3, ' ');
            let (rule, verdict) = (parts.next().unwrap(), parts.next().unwrap());
            let text = parts.next().unwrap();
            let valid = match rule {
                "pattern" => super::is_pattern(text),
                "version" => is_version(text),
                "name" => super::is_name(text),
                "state_key" => super::is_state_key(text),
                "tool_name" => super::is_tool_name(text),
                other => panic!("no such rule: {other}"),
            };
            assert_eq!(valid, verdict == "ok", "{line}");
        }
    }
}
