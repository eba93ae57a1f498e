//! Semantic versions.

use crate::text::{position, same, skip};
use crate::version_error::{Fault, Part, VersionError, err, ok};

/// Returns whether `text` is a semantic version.
pub const fn is_version(text: &str) -> bool {
    check_version(text).is_ok()
}

/// Checks that `text` is a semantic version.
///
/// # Errors
/// Returns the first mistake.
pub const fn check_version(text: &str) -> Result<(), VersionError<'_>> {
    match Version::parse(text) {
        Ok(_) => Ok(()),
        Err(error) => Err(error),
    }
}

/// Returns whether `one` is higher than `other`. Returns `false` if one of them is not a version.
pub fn is_higher(one: &str, other: &str) -> bool {
    let (Ok(one), Ok(other)) = (Version::parse(one), Version::parse(other)) else {
        return false;
    };
    let pre_releases = compare_pre_releases(one.pre_release, other.pre_release);
    one.numbers > other.numbers || (one.numbers == other.numbers && pre_releases > 0)
}

/// Returns the part of a version that all compatible versions share, as Cargo defines it: `1` for 1.2.3, `0.2` for 0.2.3.
pub fn compatible(version: &str) -> &str {
    let is_zero_or_dot = |text: char| matches!(text, '0' | '.');
    let first = version.find(|text: char| !is_zero_or_dot(text));
    let end = first.and_then(|first| Some(first + version[first..].find('.')?));
    &version[..end.unwrap_or(version.len())]
}

/// A version without its build metadata, which comparisons ignore.
#[derive(Clone, Copy)]
pub(crate) struct Version<'a> {
    pub(crate) numbers: [u64; 3],
    pub(crate) pre_release: &'a str,
}

impl<'a> Version<'a> {
    const fn parse(text: &'a str) -> Result<Self, VersionError<'a>> {
        if text.is_empty() {
            return err(Fault::EmptyText, text);
        }
        let (major, rest) = ok!(number(text, Part::Major));
        let rest = ok!(dot(rest, Part::Major));
        let (minor, rest) = ok!(number(rest, Part::Minor));
        let rest = ok!(dot(rest, Part::Minor));
        let (patch, rest) = ok!(number(rest, Part::Patch));
        let suffixes = ok!(suffixes(rest));
        if !suffixes.rest.is_empty() {
            return err(
                Fault::UnexpectedCharacterAfter(suffixes.last),
                suffixes.rest,
            );
        }
        Ok(Self {
            numbers: [major, minor, patch],
            pre_release: suffixes.pre_release,
        })
    }
}

/// Parses the number at the start of `text`. Returns it with the rest of the text.
pub(crate) const fn number(text: &str, part: Part) -> Result<(u64, &str), VersionError<'_>> {
    let bytes = text.as_bytes();
    let (mut value, mut i) = (0u64, 0);
    while i < bytes.len() && bytes[i].is_ascii_digit() {
        if value == 0 && i > 0 {
            return err(Fault::LeadingZero(part), text);
        }
        value = match value.checked_mul(10) {
            Some(tens) => match tens.checked_add((bytes[i] - b'0') as u64) {
                Some(value) => value,
                None => return err(Fault::Overflow(part), text),
            },
            None => return err(Fault::Overflow(part), text),
        };
        i += 1;
    }
    if i > 0 {
        Ok((value, skip(text, i)))
    } else if text.is_empty() {
        err(Fault::UnexpectedEnd(part), text)
    } else {
        err(Fault::UnexpectedCharacter(part), text)
    }
}

const fn dot(text: &str, after: Part) -> Result<&str, VersionError<'_>> {
    match text.as_bytes() {
        [b'.', ..] => Ok(skip(text, 1)),
        [] => err(Fault::UnexpectedEnd(after), text),
        _ => err(Fault::UnexpectedCharacterAfter(after), text),
    }
}

/// The parts that may follow the three numbers.
#[derive(Clone, Copy)]
pub(crate) struct Suffixes<'a> {
    pub(crate) pre_release: &'a str,
    /// The last part that the version has.
    pub(crate) last: Part,
    pub(crate) rest: &'a str,
}

pub(crate) const fn suffixes(text: &str) -> Result<Suffixes<'_>, VersionError<'_>> {
    let mut suffixes = Suffixes {
        pre_release: "",
        last: Part::Patch,
        rest: text,
    };
    if let [b'-', ..] = suffixes.rest.as_bytes() {
        suffixes.last = Part::PreRelease;
        (suffixes.pre_release, suffixes.rest) =
            ok!(identifiers(skip(suffixes.rest, 1), Part::PreRelease));
    }
    if let [b'+', ..] = suffixes.rest.as_bytes() {
        suffixes.last = Part::Build;
        (_, suffixes.rest) = ok!(identifiers(skip(suffixes.rest, 1), Part::Build));
    }
    Ok(suffixes)
}

/// Parses one or more identifiers separated by dots at the start of `text`. Returns them with the rest of the text.
const fn identifiers(text: &str, part: Part) -> Result<(&str, &str), VersionError<'_>> {
    let bytes = text.as_bytes();
    let mut i = 0;
    loop {
        let start = i;
        let mut is_number = true;
        while i < bytes.len() && matches!(bytes[i], b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-')
        {
            is_number &= bytes[i].is_ascii_digit();
            i += 1;
        }
        if i == start {
            return err(Fault::EmptySegment(part), text);
        }
        if matches!(part, Part::PreRelease) && is_number && bytes[start] == b'0' && i - start > 1 {
            return err(Fault::LeadingZero(part), text);
        }
        if i == bytes.len() || bytes[i] != b'.' {
            return Ok(text.split_at(i));
        }
        i += 1;
    }
}

/// Compares pre-releases. The result is negative, 0 or positive. A release is higher than its pre-releases, and identifiers are
/// compared one by one.
pub(crate) const fn compare_pre_releases(one: &str, other: &str) -> i8 {
    if same(one, other) {
        return 0;
    }
    match (one.as_bytes(), other.as_bytes()) {
        ([], _) => return 1,
        (_, []) => return -1,
        _ => {}
    }
    let (mut one, mut other) = (one, other);
    loop {
        let (a, after_a) = one.split_at(position(one, b'.'));
        let (b, after_b) = other.split_at(position(other, b'.'));
        let order = compare_identifiers(a, b);
        if order != 0 {
            return order;
        }
        match (after_a.as_bytes(), after_b.as_bytes()) {
            ([], []) => return 0,
            ([], _) => return -1,
            (_, []) => return 1,
            _ => {}
        }
        (one, other) = (skip(after_a, 1), skip(after_b, 1));
    }
}

/// Compares numbers by value and other identifiers by their bytes. Numbers are lower than other identifiers.
const fn compare_identifiers(one: &str, other: &str) -> i8 {
    let (a, b) = (one.as_bytes(), other.as_bytes());
    match (is_numeric(a), is_numeric(b)) {
        (true, false) => return -1,
        (false, true) => return 1,
        // there are no leading zeros, so the longer number is the higher one
        (true, true) if a.len() != b.len() => return if a.len() < b.len() { -1 } else { 1 },
        _ => {}
    }
    let mut i = 0;
    while i < a.len() && i < b.len() {
        if a[i] != b[i] {
            return if a[i] < b[i] { -1 } else { 1 };
        }
        i += 1;
    }
    if a.len() == b.len() {
        0
    } else if a.len() < b.len() {
        -1
    } else {
        1
    }
}

const fn is_numeric(bytes: &[u8]) -> bool {
    let mut i = 0;
    while i < bytes.len() {
        if !bytes[i].is_ascii_digit() {
            return false;
        }
        i += 1;
    }
    true
}
