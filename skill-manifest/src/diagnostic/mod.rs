//! A single diagnostic about a document.

pub(crate) mod code;
pub(crate) mod report;

use crate::check::{escape_invisible, sanitize_message};
use crate::{DiagnosticCode, Severity};
use serde::Serialize;
use std::fmt;

/// A problem with a document: its kind, place and severity, a message, and advice on how to fix it.
///
/// ```
/// use skill_manifest::{Dialect, check_at};
///
/// let report = check_at("skills/a/SKILL.md", "---\nname: b\ndescription: d\n---\n", &Dialect::AGENT_SKILLS);
/// assert_eq!(
///     report.diagnostics()[0].to_string(),
///     "skills/a/SKILL.md:2:7: error[name_mismatch]: the name `b` differs from the name of its folder, `a`; give both the same name",
/// );
/// ```
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Diagnostic {
    /// The stable kind of the problem.
    pub code: DiagnosticCode,
    /// Whether the problem prevents the document from loading.
    pub severity: Severity,
    /// The file's path, in the form in which the caller passed it.
    pub path: Option<String>,
    /// The line in the file, counted from 1.
    pub line: Option<u32>,
    /// The column in characters, counted from 1. The end of a line is one after its last character.
    pub column: Option<u32>,
    /// The problem, in one line of at most 1,024 characters, with invisible characters escaped.
    pub message: String,
    /// Advice on how to fix the problem, in the same form as the message.
    pub help: Option<String>,
}

impl Diagnostic {
    /// Creates a diagnostic without a path and a position.
    #[must_use]
    pub fn new(code: DiagnosticCode, severity: Severity, message: impl Into<String>) -> Self {
        Self {
            code,
            severity,
            path: None,
            line: None,
            column: None,
            message: sanitize_message(message.into()),
            help: None,
        }
    }

    /// Sets the file's path.
    #[must_use]
    pub fn with_path(mut self, path: impl Into<String>) -> Self {
        self.path = Some(path.into());
        self
    }

    /// Sets the help, which says how to fix the problem.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(sanitize_message(help.into()));
        self
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(path) = &self.path {
            write!(f, "{}:", escape_invisible(path))?;
        }
        if let (Some(line), Some(column)) = (self.line, self.column) {
            write!(f, "{line}:{column}:")?;
        }
        if self.path.is_some() || self.line.is_some() {
            f.write_str(" ")?;
        }
        write!(f, "{}[{}]: {}", self.severity, self.code, self.message)?;
        match &self.help {
            Some(help) => write!(f, "; {help}"),
            None => Ok(()),
        }
    }
}

/// A line and a column in the file, both counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Position {
    pub(crate) line: u32,
    pub(crate) column: u32,
}

impl Position {
    pub(crate) const START: Self = Self { line: 1, column: 1 };

    /// Returns the position of a byte. As in YAML, lines end with LF, CR LF or CR.
    pub(crate) fn of(bytes: &[u8], offset: usize) -> Self {
        let before = &bytes[..offset.min(bytes.len())];
        let mut at = Self::START;
        let mut previous = 0;
        for &byte in before {
            match byte {
                b'\n' if previous == b'\r' => {}
                b'\n' | b'\r' => {
                    at.line += 1;
                    at.column = 1;
                }
                // a continuation byte of a character
                0x80..0xC0 => {}
                _ => at.column += 1,
            }
            previous = byte;
        }
        at
    }
}

/// The diagnostics of one document, in order of discovery.
#[derive(Debug)]
pub(crate) struct Diagnostics<'a> {
    path: Option<&'a str>,
    pub(crate) list: Vec<Diagnostic>,
}

impl<'a> Diagnostics<'a> {
    pub(crate) fn new(path: Option<&'a str>) -> Self {
        let list = Vec::new();
        Self { path, list }
    }

    pub(crate) fn push(
        &mut self,
        severity: impl Into<Option<Severity>>,
        code: DiagnosticCode,
        at: impl Into<Option<Position>>,
        message: impl Into<String>,
        help: impl Into<Option<String>>,
    ) {
        let Some(severity) = severity.into() else {
            return;
        };
        let at = at.into();
        self.list.push(Diagnostic {
            path: self.path.map(str::to_owned),
            line: at.map(|at| at.line),
            column: at.map(|at| at.column),
            help: help.into().map(sanitize_message),
            ..Diagnostic::new(code, severity, message)
        });
    }

    pub(crate) fn error(
        &mut self,
        code: DiagnosticCode,
        at: impl Into<Option<Position>>,
        message: impl Into<String>,
        help: impl Into<Option<String>>,
    ) {
        self.push(Severity::Error, code, at, message, help);
    }

    pub(crate) fn warn(
        &mut self,
        code: DiagnosticCode,
        at: impl Into<Option<Position>>,
        message: impl Into<String>,
        help: impl Into<Option<String>>,
    ) {
        self.push(Severity::Warning, code, at, message, help);
    }
}
