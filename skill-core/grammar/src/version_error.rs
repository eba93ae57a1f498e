//! Errors for strings that are not versions or requirements, worded like the crate `semver`.

use std::fmt;

/// Explains why a string is not a semantic version or not a version requirement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VersionError<'a> {
    fault: Fault,
    /// The text that begins with the mistake.
    rest: &'a str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    EmptyText,
    UnexpectedEnd(Part),
    UnexpectedCharacter(Part),
    UnexpectedCharacterAfter(Part),
    ExpectedComma(Part),
    LeadingZero(Part),
    Overflow(Part),
    EmptySegment(Part),
    WildcardIsNotAlone,
    UnexpectedAfterWildcard,
    TooManyComparators,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Major,
    Minor,
    Patch,
    PreRelease,
    Build,
}

impl fmt::Display for VersionError<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let found = self.rest.chars().next().unwrap_or_default();
        match self.fault {
            Fault::EmptyText => f.write_str("empty string, expected a semver version"),
            Fault::UnexpectedEnd(part) => {
                write!(f, "unexpected end of input while parsing {part}")
            }
            Fault::UnexpectedCharacter(part) => {
                write!(f, "unexpected character {found:?} while parsing {part}")
            }
            Fault::UnexpectedCharacterAfter(part) => {
                write!(f, "unexpected character {found:?} after {part}")
            }
            Fault::ExpectedComma(part) => {
                write!(f, "expected comma after {part}, found {found:?}")
            }
            Fault::LeadingZero(part) => write!(f, "invalid leading zero in {part}"),
            Fault::Overflow(part) => write!(f, "value of {part} exceeds u64::MAX"),
            Fault::EmptySegment(part) => write!(f, "empty identifier segment in {part}"),
            Fault::WildcardIsNotAlone => write!(
                f,
                "wildcard req ({found}) must be the only comparator in the version req"
            ),
            Fault::UnexpectedAfterWildcard => {
                f.write_str("unexpected character after wildcard in version req")
            }
            Fault::TooManyComparators => f.write_str("excessive number of version comparators"),
        }
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Major => "major version number",
            Self::Minor => "minor version number",
            Self::Patch => "patch version number",
            Self::PreRelease => "pre-release identifier",
            Self::Build => "build metadata",
        })
    }
}

pub(crate) const fn err<T>(fault: Fault, rest: &str) -> Result<T, VersionError<'_>> {
    Err(VersionError { fault, rest })
}

/// Works like `?`, which const evaluation does not support.
macro_rules! ok {
    ($result:expr) => {
        match $result {
            Ok(value) => value,
            Err(error) => return Err(error),
        }
    };
}
pub(crate) use ok;
