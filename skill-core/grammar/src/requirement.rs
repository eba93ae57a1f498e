//! A skill's requirements: `calculator`, `calculator@^0.1`.
//!
//! Version requirements have the same meaning as in Cargo. The crate `semver` cannot be used in const evaluation, but tests
//! compare this module with it, including the error messages.

use crate::name::is_name;
use crate::text::{position, skip, skip_spaces};
use crate::version::{Version, compare_pre_releases, number, suffixes};
use crate::version_error::{Fault, Part, VersionError, err, ok};

/// Splits a requirement into the skill's name and the required versions after `@`.
pub const fn split(requirement: &str) -> (&str, Option<&str>) {
    let at = position(requirement, b'@');
    if at == requirement.len() {
        return (requirement, None);
    }
    let (name, rest) = requirement.split_at(at);
    (name, Some(skip(rest, 1)))
}

/// Returns whether `requirement` is a name, or a name and versions separated by `@`.
pub const fn is_requirement(requirement: &str) -> bool {
    match split(requirement) {
        (name, None) => is_name(name),
        (name, Some(versions)) => is_name(name) && check_requirement(versions).is_ok(),
    }
}

/// Checks that `requirement` is `*` or a list of comparators separated by commas. A comparator is `^` (the default), `~`, `=`,
/// `>`, `>=`, `<` or `<=` with one to three numbers.
///
/// # Errors
/// Returns the first mistake.
pub const fn check_requirement(requirement: &str) -> Result<(), VersionError<'_>> {
    let mut comparators = match Comparators::of(requirement) {
        Ok(comparators) => comparators,
        Err(error) => return Err(error),
    };
    loop {
        match comparators.next() {
            Ok(Some(_)) => {}
            Ok(None) => return Ok(()),
            Err(error) => return Err(error),
        }
    }
}

/// Returns whether `version` satisfies every comparator of `requirement`. A pre-release satisfies only a requirement that names a
/// pre-release of the same three numbers.
///
/// A version may lack its last numbers, because some documents with such a version are accepted with a warning. Missing numbers
/// count as 0.
pub const fn satisfied(requirement: &str, version: &str) -> bool {
    let version = match short_version(version) {
        Some(version) => version,
        None => return false,
    };
    let mut comparators = match Comparators::of(requirement) {
        Ok(comparators) => comparators,
        Err(_) => return false,
    };
    let mut names_pre_release = version.pre_release.is_empty();
    loop {
        match comparators.next() {
            Ok(Some(comparator)) if comparator.matches(&version) => {
                names_pre_release |= comparator.names_pre_release_of(&version);
            }
            Ok(None) => return names_pre_release,
            _ => return false,
        }
    }
}

/// Returns whether a version, if there is one, satisfies a requirement, if there is one.
pub const fn satisfies(wanted: Option<&str>, version: Option<&str>) -> bool {
    match (wanted, version) {
        (None, _) => true,
        (Some(wanted), Some(version)) => satisfied(wanted, version),
        (Some(_), None) => false,
    }
}

/// Parses a version of one to three numbers.
const fn short_version(text: &str) -> Option<Version<'_>> {
    if !matches!(text.as_bytes(), [b'0'..=b'9', ..]) {
        return None;
    }
    match Comparator::parse(text) {
        Ok((comparator, _, rest)) if rest.is_empty() && !comparator.has_wildcard => Some(Version {
            numbers: comparator.numbers,
            pre_release: comparator.pre_release,
        }),
        _ => None,
    }
}

#[derive(Clone, Copy)]
enum Operator {
    Caret,
    Tilde,
    Exact,
    Greater,
    GreaterOrEqual,
    Less,
    LessOrEqual,
}

#[derive(Clone, Copy)]
struct Comparator<'a> {
    operator: Operator,
    /// The three numbers. Missing numbers are 0.
    numbers: [u64; 3],
    /// The number of numbers that are written; 0 for `*`.
    written: usize,
    has_wildcard: bool,
    pre_release: &'a str,
}

impl<'a> Comparator<'a> {
    /// The comparator `*`, which must be the only one.
    const ANY: Self = Self {
        operator: Operator::Exact,
        numbers: [0; 3],
        written: 0,
        has_wildcard: true,
        pre_release: "",
    };

    /// Parses the comparator at the start of `text`. Returns it with its last part and the rest of the text.
    const fn parse(text: &'a str) -> Result<(Self, Part, &'a str), VersionError<'a>> {
        let (operator, length) = match text.as_bytes() {
            [b'^', ..] => (Some(Operator::Caret), 1),
            [b'~', ..] => (Some(Operator::Tilde), 1),
            [b'=', ..] => (Some(Operator::Exact), 1),
            [b'>', b'=', ..] => (Some(Operator::GreaterOrEqual), 2),
            [b'>', ..] => (Some(Operator::Greater), 1),
            [b'<', b'=', ..] => (Some(Operator::LessOrEqual), 2),
            [b'<', ..] => (Some(Operator::Less), 1),
            _ => (None, 0),
        };
        let text = skip_spaces(skip(text, length));
        let (major, mut rest) = ok!(number(text, Part::Major));
        let mut numbers = [major, 0, 0];
        let mut last = Part::Major;
        let (mut written, mut has_wildcard) = (1, false);
        let parts = [Part::Minor, Part::Patch];
        let mut i = 0;
        while i < parts.len()
            && let [b'.', ..] = rest.as_bytes()
        {
            let after_dot = skip(rest, 1);
            last = parts[i];
            i += 1;
            if is_wildcard(after_dot) {
                has_wildcard = true;
                rest = skip(after_dot, 1);
            } else if has_wildcard {
                return err(Fault::UnexpectedAfterWildcard, after_dot);
            } else {
                (numbers[i], rest) = ok!(number(after_dot, last));
                written += 1;
            }
        }
        let mut pre_release = "";
        if written == 3 {
            let suffixes = ok!(suffixes(rest));
            pre_release = suffixes.pre_release;
            last = suffixes.last;
            rest = suffixes.rest;
        }
        let comparator = Self {
            operator: match operator {
                Some(operator) => operator,
                None if has_wildcard => Operator::Exact,
                None => Operator::Caret,
            },
            numbers,
            written,
            has_wildcard,
            pre_release,
        };
        Ok((comparator, last, skip_spaces(rest)))
    }

    /// Returns whether `version` is in the comparator's range. Pre-releases that no comparator names are refused by
    /// [`satisfied`].
    const fn matches(&self, version: &Version<'_>) -> bool {
        if self.written == 0 {
            return true;
        }
        let mut order = self.order_of(version);
        if order == 0 && self.written == 3 {
            order = compare_pre_releases(version.pre_release, self.pre_release);
        }
        // a pre-release of `1.2.0` is neither below `1.2` nor equal to it
        let is_equal = order == 0 && (self.written == 3 || version.pre_release.is_empty());
        match self.operator {
            Operator::Exact => is_equal,
            Operator::Greater => order > 0,
            Operator::GreaterOrEqual => order > 0 || is_equal,
            Operator::Less => order < 0,
            Operator::LessOrEqual => order < 0 || is_equal,
            Operator::Tilde => {
                let fixed = if self.written > 1 { 2 } else { 1 };
                self.is_fixed(version, fixed) && (order > 0 || is_equal)
            }
            Operator::Caret => {
                // The numbers up to the first non-zero one are fixed. If all written numbers are zero, all of them are fixed.
                let mut fixed = 0;
                while fixed < self.written && self.numbers[fixed] == 0 {
                    fixed += 1;
                }
                let fixed = if fixed < self.written {
                    fixed + 1
                } else {
                    self.written
                };
                self.is_fixed(version, fixed) && order >= 0
            }
        }
    }

    /// Returns whether the first `count` numbers are equal.
    const fn is_fixed(&self, version: &Version<'_>, count: usize) -> bool {
        let mut i = 0;
        while i < count {
            if version.numbers[i] != self.numbers[i] {
                return false;
            }
            i += 1;
        }
        true
    }

    /// Compares a version's numbers with the written ones. The result is negative if the version is lower, 0 if it is equal, and
    /// positive if it is higher.
    const fn order_of(&self, version: &Version<'_>) -> i8 {
        let mut i = 0;
        while i < self.written {
            if version.numbers[i] < self.numbers[i] {
                return -1;
            }
            if version.numbers[i] > self.numbers[i] {
                return 1;
            }
            i += 1;
        }
        0
    }

    const fn names_pre_release_of(&self, version: &Version<'_>) -> bool {
        self.written == 3 && !self.pre_release.is_empty() && self.is_fixed(version, 3)
    }
}

/// The maximum number of comparators, more than anyone writes. `semver` has the same bound.
const MOST_COMPARATORS: usize = 32;

/// Iterates over the comparators of a requirement.
struct Comparators<'a> {
    /// The text after the current comparator, or `None` after the last one.
    rest: Option<&'a str>,
    is_any: bool,
    count: usize,
}

impl<'a> Comparators<'a> {
    const fn of(requirement: &'a str) -> Result<Self, VersionError<'a>> {
        let text = skip_spaces(requirement);
        let is_any = is_wildcard(text);
        if is_any {
            match skip_spaces(skip(text, 1)).as_bytes() {
                [] => {}
                [b',', ..] => return err(Fault::WildcardIsNotAlone, text),
                _ => return err(Fault::UnexpectedAfterWildcard, text),
            }
        }
        Ok(Self {
            rest: Some(text),
            is_any,
            count: 0,
        })
    }

    const fn next(&mut self) -> Result<Option<Comparator<'a>>, VersionError<'a>> {
        let Some(text) = self.rest else {
            return Ok(None);
        };
        if self.is_any {
            self.rest = None;
            return Ok(Some(Comparator::ANY));
        }
        if is_wildcard(text)
            && let [] | [b',', ..] = skip_spaces(skip(text, 1)).as_bytes()
        {
            return err(Fault::WildcardIsNotAlone, text);
        }
        let (comparator, last, rest) = ok!(Comparator::parse(text));
        self.count += 1;
        self.rest = match rest.as_bytes() {
            [] => None,
            [b',', ..] if self.count == MOST_COMPARATORS => {
                return err(Fault::TooManyComparators, rest);
            }
            [b',', ..] => Some(skip_spaces(skip(rest, 1))),
            _ => return err(Fault::ExpectedComma(last), rest),
        };
        Ok(Some(comparator))
    }
}

const fn is_wildcard(text: &str) -> bool {
    matches!(text.as_bytes(), [b'*' | b'x' | b'X', ..])
}
