//! The error of [`Chat::from_doc`](crate::Chat::from_doc).

use skill_agent_documents::Diagnostic;
use std::fmt;

/// The error for an AGENT.md whose model cannot be created, with all reasons.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FromDocError {
    pub(super) id: String,
    pub(super) diagnostics: Vec<Diagnostic>,
}

impl FromDocError {
    /// Returns the reasons, with their places in the file.
    #[must_use]
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }
}

impl fmt::Display for FromDocError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the agent `{}` has no model", self.id)?;
        let mut diagnostics = self.diagnostics.iter();
        diagnostics.try_for_each(|diagnostic| write!(f, "\n{diagnostic}"))
    }
}

impl std::error::Error for FromDocError {}
