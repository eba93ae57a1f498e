//! Requirements of skills, such as `calculator` and `calculator@^0.1`. Version requirements have the meaning that they have in
//! Cargo, except that pre-release tags are not compared.

use super::const_message::position;
use crate::spec::grammar;

/// Splits a requirement into the name and the version requirement after `@`.
pub const fn split(requirement: &str) -> (&str, Option<&str>) {
    let at = position(requirement, b'@');
    if at == requirement.len() {
        return (requirement, None);
    }
    let (name, rest) = requirement.split_at(at);
    (name, Some(rest.split_at(1).1))
}

/// Whether `version` satisfies `requirement`: one or more comparators separated by commas, each `^` (default), `~`, `=`,
/// `>`, `>=`, `<`, `<=` or `*`, with one to three numbers. A pre-release satisfies only a comparator that is a
/// pre-release with the same three numbers.
pub const fn satisfied(requirement: &str, version: &str) -> bool {
    let Some(version) = Version::parse(version) else {
        return false;
    };
    let mut rest = requirement;
    loop {
        let comma = position(rest, b',');
        let (one, after) = rest.split_at(comma);
        match Comparator::parse(trim(one)) {
            Some(comparator) if comparator.matches(&version) => {}
            _ => return false,
        }
        if after.is_empty() {
            return true;
        }
        rest = after.split_at(1).1;
    }
}

/// Whether the text is a semantic version: three numbers, and an optional pre-release tag and build metadata.
pub(crate) const fn is_version(text: &str) -> bool {
    let last = text.as_bytes();
    match Version::parse(text) {
        Some(version) => version.written == 3 && !matches!(last, [.., b'-' | b'+' | b'.']),
        None => false,
    }
}

/// Whether the text is a name, with an optional valid version requirement after `@`.
pub(crate) const fn is_requirement(requirement: &str) -> bool {
    match split(requirement) {
        (name, None) => grammar::is_name(name),
        (name, Some(wanted)) => grammar::is_name(name) && well_formed(wanted),
    }
}

/// Whether the version requirement is valid.
const fn well_formed(requirement: &str) -> bool {
    let mut rest = requirement;
    loop {
        let comma = position(rest, b',');
        let (one, after) = rest.split_at(comma);
        if Comparator::parse(trim(one)).is_none() {
            return false;
        }
        if after.is_empty() {
            return true;
        }
        rest = after.split_at(1).1;
    }
}

const fn trim(mut text: &str) -> &str {
    while let [b' ', ..] = text.as_bytes() {
        text = text.split_at(1).1;
    }
    while let [.., b' '] = text.as_bytes() {
        text = text.split_at(text.len() - 1).0;
    }
    text
}

struct Version {
    numbers: [u64; 3],
    /// How many of the numbers are present in the text.
    written: usize,
    pre_release: bool,
}

impl Version {
    const fn parse(text: &str) -> Option<Self> {
        let bytes = text.as_bytes();
        let mut version = Self {
            numbers: [0; 3],
            written: 0,
            pre_release: false,
        };
        let mut i = 0;
        loop {
            let start = i;
            let mut number: u64 = 0;
            while i < bytes.len() && bytes[i].is_ascii_digit() && i - start < 18 {
                number = number * 10 + (bytes[i] - b'0') as u64;
                i += 1;
            }
            if i == start {
                return None;
            }
            version.numbers[version.written] = number;
            version.written += 1;
            if i == bytes.len() {
                return Some(version);
            }
            match bytes[i] {
                b'.' if version.written < 3 => i += 1,
                b'-' => {
                    version.pre_release = true;
                    return Some(version);
                }
                b'+' => return Some(version),
                _ => return None,
            }
        }
    }

    /// Compares the first `count` numbers: -1, 0 or 1.
    const fn order(&self, other: &Self, count: usize) -> i8 {
        let mut i = 0;
        while i < count {
            if self.numbers[i] < other.numbers[i] {
                return -1;
            }
            if self.numbers[i] > other.numbers[i] {
                return 1;
            }
            i += 1;
        }
        0
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
    Any,
}

struct Comparator {
    operator: Operator,
    bound: Version,
}

impl Comparator {
    const fn parse(text: &str) -> Option<Self> {
        let (operator, skip) = match text.as_bytes() {
            [b'*'] => (Operator::Any, 1),
            [b'^', ..] => (Operator::Caret, 1),
            [b'~', ..] => (Operator::Tilde, 1),
            [b'=', ..] => (Operator::Exact, 1),
            [b'>', b'=', ..] => (Operator::GreaterOrEqual, 2),
            [b'>', ..] => (Operator::Greater, 1),
            [b'<', b'=', ..] => (Operator::LessOrEqual, 2),
            [b'<', ..] => (Operator::Less, 1),
            [.., b'.', b'*'] => (Operator::Exact, 0),
            _ => (Operator::Caret, 0),
        };
        let mut text = trim(text.split_at(skip).1);
        if let ([.., b'.', b'*'], Operator::Exact) = (text.as_bytes(), operator) {
            text = text.split_at(text.len() - 2).0;
        }
        let bound = match Version::parse(if matches!(operator, Operator::Any) {
            "0"
        } else {
            text
        }) {
            Some(bound) => bound,
            None => return None,
        };
        Some(Self { operator, bound })
    }

    const fn matches(&self, version: &Version) -> bool {
        let bound = &self.bound;
        if version.pre_release && !(bound.pre_release && version.order(bound, 3) == 0) {
            return false;
        }
        let written = bound.written;
        match self.operator {
            Operator::Any => true,
            Operator::Exact => version.order(bound, written) == 0,
            Operator::Greater => version.order(bound, written) > 0,
            Operator::GreaterOrEqual => version.order(bound, written) >= 0,
            Operator::Less => version.order(bound, written) < 0,
            Operator::LessOrEqual => version.order(bound, written) <= 0,
            Operator::Tilde => {
                let fixed = if written > 1 { 2 } else { 1 };
                version.order(bound, fixed) == 0 && version.order(bound, 3) >= 0
            }
            Operator::Caret => {
                // the first nonzero number is fixed; if all written numbers are zero, all of them are fixed
                let mut fixed = 0;
                while fixed < written && bound.numbers[fixed] == 0 {
                    fixed += 1;
                }
                let fixed = if fixed < written { fixed + 1 } else { written };
                version.order(bound, fixed) == 0 && version.order(bound, 3) >= 0
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requirements_mean_what_cargo_s_mean() {
        for (requirement, version, expected) in [
            ("^0.1", "0.1.9", true),
            ("^0.1", "0.2.0", false),
            ("0.1.2", "0.1.1", false),
            ("^1.2.3", "1.9.0", true),
            ("^1.2.3", "2.0.0", false),
            ("^0.0.3", "0.0.4", false),
            ("^0.0", "0.0.9", true),
            ("^0", "0.9.0", true),
            ("~1.2", "1.2.9", true),
            ("~1.2", "1.3.0", false),
            ("~1", "1.9.9", true),
            ("=1.2.3", "1.2.3", true),
            ("=1.2", "1.2.7", true),
            (">=1.2, <2", "1.5.0", true),
            (">=1.2, <2", "2.0.0", false),
            (">1.2", "1.2.9", false),
            (">1.2", "1.3.0", true),
            ("<=1.2", "1.2.9", true),
            ("*", "3.1.4", true),
            ("1.*", "1.9.0", true),
            ("1.*", "2.0.0", false),
            ("1.2.*", "1.2.9", true),
            ("1.2.*", "1.3.0", false),
            ("^1.0", "1.1.0-beta.1", false),
            ("^1.1.0-beta", "1.1.0-beta.1", true),
            ("1", "not a version", false),
        ] {
            assert_eq!(
                satisfied(requirement, version),
                expected,
                "{requirement} {version}"
            );
        }
    }

    #[test]
    fn a_requirement_that_cannot_be_read_is_not_well_formed() {
        for requirement in ["", "x", "^", "1.2.3.4", "1..2", ">=1,", "1 2"] {
            assert!(!well_formed(requirement), "{requirement}");
        }
        for requirement in ["1", "^0.1", ">=1.2, <2", "*", "= 1.2.3"] {
            assert!(well_formed(requirement), "{requirement}");
        }
    }
}
