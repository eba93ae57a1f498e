//! YAML errors and their messages.

use crate::DiagnosticCode;
use crate::diagnostic::Position;
use granit_parser::{ErrorKind, ScanError};
use std::borrow::Cow;

/// The error for text that cannot be parsed.
#[derive(Debug)]
pub(crate) struct YamlError {
    pub(crate) code: DiagnosticCode,
    pub(crate) at: Option<Position>,
    pub(crate) message: String,
}

/// A [`YamlError`] whose message does not yet name the document.
pub(super) struct Failure {
    pub(super) reason: Reason,
    pub(super) at: Option<Position>,
}

pub(super) enum Reason {
    Invalid(Cow<'static, str>),
    SecondDocument,
    Anchor,
    Alias,
    UnknownAlias,
    MergeKey,
    Depth,
    Size,
}

impl Failure {
    pub(super) fn invalid(text: impl Into<Cow<'static, str>>, at: Position) -> Self {
        Self::new(Reason::Invalid(text.into()), at)
    }

    pub(super) fn new(reason: Reason, at: Position) -> Self {
        // lines count from 1; the parser uses 0 for an unknown position
        let at = (at.line > 0).then_some(at);
        Self { reason, at }
    }

    pub(super) fn into_error(self, noun: &str) -> YamlError {
        YamlError {
            code: self.reason.code(),
            at: self.at,
            message: self.reason.message(noun),
        }
    }
}

impl Reason {
    pub(super) fn of(error: &ScanError) -> Self {
        match error.kind() {
            ErrorKind::RecursionLimitExceeded => Self::Depth,
            ErrorKind::UnknownAnchor => Self::UnknownAlias,
            _ => Self::Invalid(error.info().into()),
        }
    }

    const fn code(&self) -> DiagnosticCode {
        match self {
            Self::Invalid(_) | Self::SecondDocument => DiagnosticCode::MalformedFrontmatter,
            Self::Anchor | Self::Alias | Self::UnknownAlias | Self::MergeKey => {
                DiagnosticCode::YamlFeature
            }
            Self::Depth | Self::Size => DiagnosticCode::YamlLimit,
        }
    }

    fn message(&self, noun: &str) -> String {
        match self {
            Self::Invalid(text) => format!("{noun} is not valid YAML: {text}"),
            Self::SecondDocument => format!("{noun} contains more than one YAML document"),
            Self::Anchor => "anchors are not supported".to_owned(),
            Self::Alias => "aliases are not supported".to_owned(),
            Self::UnknownAlias => "an alias refers to nothing".to_owned(),
            Self::MergeKey => "`<<` is not supported".to_owned(),
            Self::Depth => format!("{noun} is nested too deeply"),
            Self::Size => format!("{noun} has too many values"),
        }
    }
}
