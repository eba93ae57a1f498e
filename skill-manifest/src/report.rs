//! All that a check found.

use crate::{Diagnostic, Severity, SkillDoc};
use serde::Serialize;

/// What a check found: every diagnostic at once, and the document when none of them is an error.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Report<T = SkillDoc> {
    doc: Option<T>,
    diagnostics: Vec<Diagnostic>,
    /// Of one that does not load.
    #[serde(skip)]
    claimed: Option<String>,
}

impl<T> Report<T> {
    /// A document with an error does not load.
    pub(crate) fn new(doc: Option<T>, mut diagnostics: Vec<Diagnostic>) -> Self {
        let failed = diagnostics.iter().any(|it| it.severity == Severity::Error);
        diagnostics.sort_by_key(|it| (it.line, it.column));
        Self {
            doc: doc.filter(|_| !failed),
            diagnostics,
            claimed: None,
        }
    }

    /// With the id that the document would have, where it does not load.
    pub(crate) fn claiming(mut self, id: Option<String>) -> Self {
        let broken = self.doc.is_none();
        self.claimed = id.filter(|it| broken && !it.is_empty());
        self
    }

    /// The id that a document which does not load would have, as far as it can be read. A loader lets no other document of a
    /// lower source have it.
    #[doc(hidden)]
    #[must_use]
    pub fn claimed(&self) -> Option<&str> {
        self.claimed.as_deref()
    }

    /// The document, if it loads.
    #[must_use]
    pub fn doc(&self) -> Option<&T> {
        self.doc.as_ref()
    }

    /// Whether the document loads.
    #[must_use]
    pub fn is_valid(&self) -> bool {
        self.doc.is_some()
    }

    /// Errors and warnings in the order of the text.
    #[must_use]
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// The errors alone.
    pub fn errors(&self) -> impl Iterator<Item = &Diagnostic> {
        let list = self.diagnostics.iter();
        list.filter(|it| it.severity == Severity::Error)
    }

    /// The document, without its warnings.
    ///
    /// # Errors
    /// All diagnostics, when the document does not load.
    pub fn into_doc(self) -> Result<T, Vec<Diagnostic>> {
        self.doc.ok_or(self.diagnostics)
    }
}
