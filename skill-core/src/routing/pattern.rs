//! [`Pattern`]: a pattern over signal types.

use serde::de::{Deserialize, Deserializer, Error as _};
use serde::ser::{Serialize, Serializer};
use skill_agent_grammar as grammar;
use skill_agent_schema::shorten;
use std::borrow::Cow;
use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;

/// A pattern over signal types: segments separated by `.`, where `*` matches one segment and `**` zero or more.
///
/// It must match the whole type: `order.*` does not match `order.7.paid`.
///
/// ```
/// use skill_core::Pattern;
/// let paid = Pattern::parse("order.**.paid")?;
/// assert!(paid.matches("order.paid") && paid.matches("order.7.invoice.paid"));
/// assert!(!paid.matches("order.paid.late"));
///
/// let wrong = Pattern::parse("order..paid").unwrap_err();
/// assert_eq!(wrong.at, 6);
/// # Ok::<(), skill_core::routing::PatternError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pattern(Cow<'static, str>);

/// Explains why a string is not a [`Pattern`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{}` is not a signal pattern: at byte {at}, {}",
    shorten(.pattern, 80),
    .fault.explained(.pattern, *.at)
)]
#[non_exhaustive]
pub struct PatternError {
    /// The invalid pattern.
    pub pattern: String,
    /// The byte position of the mistake: the character, or the start of the segment.
    pub at: usize,
    /// The kind of mistake.
    pub fault: PatternFault,
}

/// The mistakes in a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PatternFault {
    /// A segment is empty, or the whole pattern is.
    Empty,
    /// A character is not in `[a-zA-Z0-9_-]` and is neither `*` nor `.`.
    Character,
    /// A `*` is only a part of a segment, or there are more than two in a row.
    PartOfSegment,
    /// Two `**` follow each other.
    ManyTwice,
}

impl From<grammar::PatternFault> for PatternFault {
    fn from(fault: grammar::PatternFault) -> Self {
        match fault {
            grammar::PatternFault::Empty => Self::Empty,
            grammar::PatternFault::Character => Self::Character,
            grammar::PatternFault::PartOfSegment => Self::PartOfSegment,
            grammar::PatternFault::ManyTwice => Self::ManyTwice,
        }
    }
}

impl PatternFault {
    fn explained(self, pattern: &str, at: usize) -> String {
        let rest = pattern.get(at..).unwrap_or_default();
        let segment = shorten(rest.split('.').next().unwrap_or_default(), 40);
        match self {
            Self::Empty if pattern.is_empty() => {
                "it is empty; write `**` for every signal".to_owned()
            }
            Self::Empty => "a segment is empty; write a name, `*` or `**` there".to_owned(),
            Self::Character => {
                let character = rest.chars().next().unwrap_or_default();
                format!("{character:?} cannot be in a segment; write letters, digits, `_` and `-`")
            }
            Self::PartOfSegment => {
                format!(
                    "`{segment}` mixes `*` with other characters; write `*` or `**` for whole segments"
                )
            }
            Self::ManyTwice => {
                "`**` follows another `**` and adds nothing to it; leave it out".to_owned()
            }
        }
    }
}

impl Pattern {
    /// Creates a pattern that is known at compile time.
    ///
    /// # Panics
    /// Panics if the pattern is invalid. In a `const`, that is a compile error.
    ///
    /// ```
    /// const PAID: skill_core::Pattern = skill_core::Pattern::new("order.*.paid");
    /// assert!(PAID.matches("order.7.paid"));
    /// ```
    #[track_caller]
    pub const fn new(pattern: &'static str) -> Self {
        assert!(
            grammar::is_pattern(pattern),
            "a signal pattern is written like `order.*.paid` or `order.**`"
        );
        Self(Cow::Borrowed(pattern))
    }

    /// Parses a pattern: segments of `[a-zA-Z0-9_-]+`, `*` or `**`, separated by `.`, without two `**` in a row.
    ///
    /// # Errors
    /// Returns the first mistake, its position, and a fix.
    pub fn parse(pattern: &str) -> Result<Self, PatternError> {
        check(pattern).map(|()| Self(Cow::Owned(pattern.to_owned())))
    }

    /// Returns whether the pattern matches the type `ty`. Allocates nothing. Takes time at most proportional to the product of
    /// the two segment counts.
    ///
    /// The type may be invalid: `*` also matches an empty segment or one with other characters.
    /// [`Signal::new`](crate::Signal::new) and the router accept invalid types; a [`Context`](crate::Context) refuses to queue
    /// them.
    pub fn matches(&self, ty: &str) -> bool {
        matches(&self.0, ty)
    }

    /// Returns how specific the pattern is. Routes with more specific patterns come first.
    ///
    /// For n segments, counted from 0, the sum of: `2000 n + 3000 (n - i)` for each name, `-(1000 - 100 i)` for each `*`,
    /// `-(2000 - 200 i)` for each `**`.
    ///
    /// ```
    /// # use skill_core::Pattern;
    /// let says = |text| Pattern::new(text).complexity();
    /// assert_eq!((says("user.123"), says("user.*"), says("user.**"), says("**")), (13_000, 9_100, 8_200, 0));
    /// ```
    pub fn complexity(&self) -> i64 {
        complexity(&self.0)
    }

    /// Returns the pattern as a string.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub(crate) fn into_text(self) -> Cow<'static, str> {
        self.0
    }
}

/// Checks a pattern's grammar.
pub(crate) fn check(pattern: &str) -> Result<(), PatternError> {
    match grammar::pattern_fault(pattern) {
        None => Ok(()),
        Some((fault, at)) => Err(PatternError {
            pattern: pattern.to_owned(),
            at,
            fault: fault.into(),
        }),
    }
}

/// Describes the first mistake in a signal type and its position. Returns `None` if the type is valid.
pub(crate) fn mistake_in_signal_type(ty: &str) -> Option<String> {
    if grammar::is_signal_type(ty) {
        return None;
    }
    Some(match grammar::pattern_fault(ty) {
        Some((grammar::PatternFault::Empty, at)) => {
            format!("at byte {at}, a segment is empty; write it like `order.paid`")
        }
        Some((fault @ grammar::PatternFault::Character, at)) => {
            format!(
                "at byte {at}, {}",
                PatternFault::from(fault).explained(ty, at)
            )
        }
        _ => "`*` is for patterns; write it like `order.paid`".to_owned(),
    })
}

/// Returns whether a pattern matches a type.
///
/// Every `**` matches as few segments as possible. If the rest of the pattern then does not match, only the last `**` takes one
/// more segment. There is no need to retry an earlier `**`: every segment that it could take, the last `**` can match as well.
pub(crate) fn matches(pattern: &str, ty: &str) -> bool {
    segments_match(pattern.split('.'), ty)
}

/// Returns whether the segments of a pattern match the type `ty`.
pub(crate) fn segments_match<'p>(
    mut wanted: impl Iterator<Item = &'p str> + Clone,
    ty: &str,
) -> bool {
    let mut given = ty.split('.');
    let mut retry = None;
    loop {
        let here = given.clone();
        match (wanted.next(), given.next()) {
            (None, None) => return true,
            (Some("**"), _) => {
                given = here.clone();
                retry = Some((wanted.clone(), here));
                continue;
            }
            (Some(segment), Some(found)) if segment == "*" || segment == found => continue,
            _ => {}
        }
        let Some((after, from)) = &mut retry else {
            return false;
        };
        if from.next().is_none() {
            return false;
        }
        (wanted, given) = (after.clone(), from.clone());
    }
}

pub(crate) fn complexity(pattern: &str) -> i64 {
    let n = pattern.split('.').count() as i64;
    let of = |(i, segment)| match segment {
        "**" => 200 * i - 2000,
        "*" => 100 * i - 1000,
        _ => 3000 * (n - i),
    };
    (0..).zip(pattern.split('.')).map(of).sum::<i64>() + 2000 * n
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl TryFrom<&str> for Pattern {
    type Error = PatternError;

    fn try_from(pattern: &str) -> Result<Self, PatternError> {
        Self::parse(pattern)
    }
}

impl TryFrom<&String> for Pattern {
    type Error = PatternError;

    fn try_from(pattern: &String) -> Result<Self, PatternError> {
        Self::parse(pattern)
    }
}

impl TryFrom<String> for Pattern {
    type Error = PatternError;

    fn try_from(pattern: String) -> Result<Self, PatternError> {
        check(&pattern).map(|()| Self(Cow::Owned(pattern)))
    }
}

// A `Pattern` converts into itself without an error, so that `impl TryInto<Pattern>` takes both strings and patterns.
impl From<Infallible> for PatternError {
    fn from(never: Infallible) -> Self {
        match never {}
    }
}

impl FromStr for Pattern {
    type Err = PatternError;

    fn from_str(pattern: &str) -> Result<Self, PatternError> {
        Self::parse(pattern)
    }
}

impl AsRef<str> for Pattern {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl Serialize for Pattern {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Pattern {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        check(&text).map_err(D::Error::custom)?;
        Ok(Self(Cow::Owned(text)))
    }
}
