//! Problems of a document: where, what is wrong, and what to write instead.

pub(crate) mod wording;

use std::fmt;

use crate::problem::wording::of_json;
use crate::value::path::{prefixed, shorten, shorten_name};
use skill_agent_grammar::nearest;

/// Messages quote the document, so they are cut to this many characters.
const LONGEST_MESSAGE: usize = 1024;

/// One mistake in a JSON document: where, what is wrong, and what to write instead.
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
    /// The path: `calculator.precision`, `samples[3]`, or empty for the document itself.
    ///
    /// A missing field has the path of the object that lacks it, an unknown field its own.
    pub path: String,
    /// The mistake; lower case, without a full stop.
    pub message: String,
    /// The remedy, as in ``did you mean `precision`?``
    pub help: Option<String>,
}

impl Problem {
    /// A problem at `path`; an empty path means the whole document.
    pub fn new(path: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            message: message.into(),
            help: None,
        }
    }

    /// Sets what to write instead.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// The problem of a key `name` at `path` that nothing reads, where the keys `known` are read.
    pub fn unknown_field<'a>(
        path: impl Into<String>,
        name: &str,
        known: impl IntoIterator<Item = &'a str>,
    ) -> Self {
        let mut known: Vec<&str> = known.into_iter().collect();
        // each variant of an enum lists the tag
        let mut seen = std::collections::BTreeSet::new();
        known.retain(|name| seen.insert(*name));
        let quoted: Vec<String> = known.iter().map(|name| format!("`{name}`")).collect();
        // serde reports most unknown fields itself, in these words.
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

    /// Whether it is a key that nothing reads.
    #[doc(hidden)]
    pub fn is_unknown_field(&self) -> bool {
        // the words of serde, which reports most unknown fields itself
        self.message.starts_with("unknown field")
    }

    fn below(mut self, at: &str) -> Self {
        self.path = prefixed(at, &self.path);
        self
    }

    /// A problem whose message quotes the document, and is cut if it is long.
    pub(crate) fn quoting(path: String, message: &str) -> Self {
        Self::new(path, shorten(message, LONGEST_MESSAGE))
    }

    /// A message of serde in terms of JSON, with a suggestion from its list of expected names.
    pub(crate) fn from_serde(path: String, message: &str) -> Self {
        Self {
            help: suggestion(message),
            ..Self::quoting(path, &of_json(message))
        }
    }
}

/// The maximum number of problems in one error.
const MAX_PROBLEMS: usize = 100;

/// Whether the maximum number of problems is reached. If so, the last problem says that there may be more.
pub fn is_full(problems: &mut Vec<Problem>) -> bool {
    const MESSAGE: &str = "there may be more problems; these are the first";
    let is_full = problems.len() >= MAX_PROBLEMS;
    if is_full && problems.last().is_none_or(|last| last.message != MESSAGE) {
        problems.push(Problem::new("", MESSAGE));
    }
    is_full
}

pub(crate) fn did_you_mean(name: &str) -> String {
    format!("did you mean `{name}`?")
}

/// The expected name that is nearest to the `x` of "unknown field `x`, expected …".
fn suggestion(message: &str) -> Option<String> {
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

/// All problems of a state document; at least one.
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
    /// The error with these problems; `None` if there are none.
    pub fn from_problems(problems: Vec<Problem>) -> Option<Self> {
        (!problems.is_empty()).then_some(Self { problems })
    }

    /// The error with a problem and others after it.
    pub(crate) fn of(first: Problem, others: Vec<Problem>) -> Self {
        let problems = std::iter::once(first).chain(others);
        Self {
            problems: problems.collect(),
        }
    }

    /// The problems, at least one.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// Puts the key `at` in front of the paths.
    #[doc(hidden)]
    pub fn below(self, at: &str) -> Self {
        let problems = self.problems.into_iter();
        Self {
            problems: problems.map(|problem| problem.below(at)).collect(),
        }
    }

    /// Takes the problems out.
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
