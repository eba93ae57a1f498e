//! A value that violates a constraint, and the problem that reports it.

use crate::problem::Problem;
use crate::secrets::{MASK, Place, place, without_positions};
use crate::value::path::{Path, below};
use serde_json::{Number, Value};
use std::fmt::Debug;
use std::ops::Bound;

/// A value that violates a constraint.
#[derive(Debug, PartialEq)]
pub(crate) struct Violation<'v> {
    pub(crate) path: Path,
    pub(crate) value: &'v Value,
    pub(super) constraint: Constraint,
}

#[derive(Debug, PartialEq)]
pub(super) enum Constraint {
    /// The allowed range, as a string.
    Range(String),
    /// The allowed range of lengths, as a string, and the actual length.
    Length(String, usize),
    Pattern(String),
    Multiple(Number),
    /// There are too many alternatives to check.
    Unknown,
}

impl Violation<'_> {
    /// Returns the problem for a document at path `at`. The message does not quote a secret.
    pub(crate) fn problem(&self, at: &str, secrets: &[&str]) -> Problem {
        self.problem_with(at, secrets, None)
    }

    /// Returns the problem for a document at path `at`, with `hidden` instead of the value.
    pub(super) fn problem_with(&self, at: &str, secrets: &[&str], hidden: Option<&str>) -> Problem {
        let is_secret = |length: &usize| {
            let path = without_positions(&self.path[..*length]);
            place(&path, secrets) == Place::Secret
        };
        let secret = (0..=self.path.len()).find(is_secret);
        match secret {
            Some(end) => self.problem_of(below(at, &self.path[..end]), Some(MASK)),
            None => self.problem_of(below(at, &self.path), hidden),
        }
    }

    fn problem_of(&self, path: String, hidden: Option<&str>) -> Problem {
        let value = hidden.map_or_else(|| self.value.to_string(), str::to_owned);
        let message = match &self.constraint {
            Constraint::Range(range) => format!("{value} is out of range, expected {range}"),
            Constraint::Length(range, _) if hidden.is_some() => {
                format!("the length of {value} is out of range, expected {range}")
            }
            Constraint::Length(range, length) => {
                format!("the length {length} is out of range, expected {range}")
            }
            Constraint::Pattern(pattern) => {
                format!("{value} does not match the pattern `{pattern}`")
            }
            Constraint::Multiple(of) => format!("{value} is not a multiple of {of}"),
            Constraint::Unknown => {
                "its schema has too many nested alternatives to check the constraints".to_owned()
            }
        };
        Problem::quoting(path, &message)
    }
}

/// Writes a range of numbers or lengths like a Rust range. Rust ranges cannot exclude the low end, so such a range is written in
/// words.
pub fn range_text<N: Debug>(low: Bound<&N>, high: Bound<&N>) -> String {
    let low = match low {
        Bound::Included(low) => format!("{low:?}"),
        Bound::Unbounded => String::new(),
        Bound::Excluded(low) => {
            return match high {
                Bound::Included(high) => format!("more than {low:?}, and at most {high:?}"),
                Bound::Excluded(high) => format!("more than {low:?}, and less than {high:?}"),
                Bound::Unbounded => format!("more than {low:?}"),
            };
        }
    };
    match high {
        Bound::Included(high) => format!("{low}..={high:?}"),
        Bound::Excluded(high) => format!("{low}..{high:?}"),
        Bound::Unbounded => format!("{low}.."),
    }
}
