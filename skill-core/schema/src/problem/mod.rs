//! Problems in a document. A problem has a path, the mistake, and a suggested fix.

pub(crate) mod wording;

use std::fmt;

use crate::problem::wording::of_json;
use crate::value::path::{prefixed, shorten, shorten_name};
use skill_agent_grammar::nearest;

/// The maximum length of a message in characters. Messages quote the document, so they have to be cut.
const LONGEST_MESSAGE: usize = 1024;

/// One mistake in a JSON document, with its path and a suggested fix.
///
/// ```
/// use skill_core::Problem;
///
/// let problem = Problem::new("calculator.precision", "invalid type: string \"two\", expected a non-negative integer");
/// assert_eq!(
///     problem.to_string(),
///     "`calculator.precision`: invalid type: string \"two\", expected a non-negative integer",
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Problem {
    /// The path of the mistake, such as `calculator.precision` or `samples[3]`. Empty for the document itself.
    ///
    /// For a missing field, this is the path of the object that lacks the field. For an unknown field, it is the path of the
    /// field.
    pub path: String,
    /// The description of the mistake, in lower case and without a full stop.
    pub message: String,
    /// A suggested fix, such as ``did you mean `precision`?``
    pub help: Option<String>,
}

impl Problem {
    /// Creates a problem at `path`. An empty path means the whole document.
    pub fn new(path: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            message: message.into(),
            help: None,
        }
    }

    /// Sets the suggested fix.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Creates the problem for the unknown key `name`, where only the keys in `known` are read.
    pub fn unknown_field<'a>(
        path: impl Into<String>,
        name: &str,
        known: impl IntoIterator<Item = &'a str>,
    ) -> Self {
        let mut known: Vec<&str> = known.into_iter().collect();
        // each variant of an enum lists the tag, so it may occur several times
        let mut seen = std::collections::BTreeSet::new();
        known.retain(|name| seen.insert(*name));
        let quoted: Vec<String> = known.iter().map(|name| format!("`{name}`")).collect();
        // Serde itself reports most unknown fields, so this uses its wording.
        let expected = match &quoted[..] {
            [] => "there are no fields".to_owned(),
            [only] => format!("expected {only}"),
            [one, other] => format!("expected {one} or {other}"),
            several => format!("expected one of {}", several.join(", ")),
        };
        let message = format!("unknown field `{}`, {expected}", shorten_name(name));
        let mut problem = Self::quoting(path.into(), &message);
        problem.help = nearest(name, known).map(did_you_mean);
        problem
    }

    /// Returns whether the problem is an unknown key.
    #[doc(hidden)]
    pub fn is_unknown_field(&self) -> bool {
        // serde's wording, because serde reports most unknown fields itself
        self.message.starts_with("unknown field")
    }

    fn below(mut self, at: &str) -> Self {
        self.path = prefixed(at, &self.path);
        self
    }

    /// Creates a problem whose message quotes the document. Long messages are cut.
    pub(crate) fn quoting(path: String, message: &str) -> Self {
        Self::new(path, shorten(message, LONGEST_MESSAGE))
    }

    /// Creates a problem from a serde message, rewritten in JSON terms, with a suggestion from serde's list of expected names.
    pub(crate) fn from_serde(path: String, message: &str) -> Self {
        Self {
            help: nearest_expected(message),
            ..Self::quoting(path, &of_json(message))
        }
    }
}

/// The maximum number of problems in one error.
const MAX_PROBLEMS: usize = 100;

/// Returns whether the maximum number of problems is reached. If so, the last problem says that there may be more.
pub fn is_full(problems: &mut Vec<Problem>) -> bool {
    const MESSAGE: &str = "there may be more problems; these are the first";
    let is_full = problems.len() >= MAX_PROBLEMS;
    if is_full && problems.last().is_none_or(|last| last.message != MESSAGE) {
        problems.push(Problem::new("", MESSAGE));
    }
    is_full
}

/// Returns the end of a message that suggests the nearest name, or an empty string if there is no such name.
pub fn suggest(nearest: Option<&str>) -> String {
    nearest.map_or_else(String::new, |name| format!("; {}", did_you_mean(name)))
}

pub(crate) fn did_you_mean(name: &str) -> String {
    format!("did you mean `{name}`?")
}

/// Suggests the expected name nearest to the `x` in "unknown field `x`, expected …".
fn nearest_expected(message: &str) -> Option<String> {
    let rest = message
        .strip_prefix("unknown field `")
        .or_else(|| message.strip_prefix("unknown variant `"))?;
    let (name, expected) = rest.rsplit_once("`, expected ")?;
    // "one of `a`, `b`", "`a` or `b`", "`a`": the names are between backticks.
    let known = expected.split('`').skip(1).step_by(2);
    nearest(name, known).map(did_you_mean)
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.path[..] {
            "" => f.write_str("at the top level: ")?,
            path => write!(f, "`{path}`: ")?,
        }
        f.write_str(&self.message)?;
        match &self.help {
            Some(help) => write!(f, "; {help}"),
            None => Ok(()),
        }
    }
}

/// All problems in a state document; at least one.
///
/// ```
/// use skill_core::{Problem, StateError};
///
/// let problems = vec![
///     Problem::new("mode", "unknown variant `shouting`"),
///     Problem::new("stats.window", "invalid type: null, expected a non-negative integer"),
/// ];
/// let error = StateError::from_problems(problems).unwrap();
/// assert_eq!(error.problems().len(), 2);
/// assert!(error.to_string().contains("\n  `stats.window`: invalid type"));
/// assert!(StateError::from_problems(Vec::new()).is_none());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct StateError {
    problems: Vec<Problem>,
}

impl StateError {
    /// Creates the error, or returns `None` if `problems` is empty.
    pub fn from_problems(problems: Vec<Problem>) -> Option<Self> {
        (!problems.is_empty()).then_some(Self { problems })
    }

    /// Creates the error from the first problem and the others.
    pub(crate) fn of(first: Problem, others: Vec<Problem>) -> Self {
        let problems = std::iter::once(first).chain(others);
        Self {
            problems: problems.collect(),
        }
    }

    /// Returns the problems, at least one.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// Prefixes all paths with the key `at`.
    #[doc(hidden)]
    pub fn below(self, at: &str) -> Self {
        let problems = self.problems.into_iter();
        Self {
            problems: problems.map(|problem| problem.below(at)).collect(),
        }
    }

    /// Returns the problems by value.
    pub fn into_problems(self) -> Vec<Problem> {
        self.problems
    }
}

impl From<Problem> for StateError {
    fn from(problem: Problem) -> Self {
        Self {
            problems: vec![problem],
        }
    }
}

impl fmt::Display for StateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let [only] = &self.problems[..] {
            return only.fmt(f);
        }
        write!(f, "{} problems", self.problems.len())?;
        for problem in &self.problems {
            write!(f, "\n  {problem}")?;
        }
        Ok(())
    }
}

impl std::error::Error for StateError {}
