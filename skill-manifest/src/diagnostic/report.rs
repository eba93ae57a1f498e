//! The result of a check.

use crate::{Diagnostic, Severity, SkillDoc};
use serde::Serialize;

/// The result of a check: every diagnostic and, unless one of them is an error, the document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Report<T = SkillDoc> {
    doc: Option<T>,
    diagnostics: Vec<Diagnostic>,
    /// The id that an unloadable document claims.
    #[serde(skip)]
    claimed: Option<String>,
}

impl<T> Report<T> {
    /// Creates a report. Drops a document with an error.
    pub(crate) fn new(doc: Option<T>, mut diagnostics: Vec<Diagnostic>) -> Self {
        let failed = diagnostics
            .iter()
            .any(|diagnostic| diagnostic.severity == Severity::Error);
        diagnostics.sort_by_key(|diagnostic| (diagnostic.line, diagnostic.column));
        Self {
            doc: doc.filter(|_| !failed),
            diagnostics,
            claimed: None,
        }
    }

    /// Sets the id that the document claims if it does not load.
    pub(crate) fn claiming(mut self, id: Option<String>) -> Self {
        let broken = self.doc.is_none();
        self.claimed = id.filter(|id| broken && !id.is_empty());
        self
    }

    /// Returns the id that an unloadable document claims, if it can be read. A loader does not load a document with the claimed
    /// id from a source with lower precedence.
    #[doc(hidden)]
    #[must_use]
    pub fn claimed(&self) -> Option<&str> {
        self.claimed.as_deref()
    }

    /// Returns the document, or `None` if it does not load.
    #[must_use]
    pub fn doc(&self) -> Option<&T> {
        self.doc.as_ref()
    }

    /// Returns whether the document loads.
    #[must_use]
    pub fn is_valid(&self) -> bool {
        self.doc.is_some()
    }

    /// Returns the errors and warnings in text order.
    #[must_use]
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// Returns the errors.
    pub fn errors(&self) -> impl Iterator<Item = &Diagnostic> {
        let list = self.diagnostics.iter();
        list.filter(|diagnostic| diagnostic.severity == Severity::Error)
    }

    /// Returns the document and drops its warnings.
    ///
    /// # Errors
    /// Returns all diagnostics if the document does not load.
    pub fn into_doc(self) -> Result<T, Vec<Diagnostic>> {
        self.doc.ok_or(self.diagnostics)
    }
}
