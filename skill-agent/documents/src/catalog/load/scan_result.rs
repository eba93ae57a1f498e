//! The result of scanning a source.

use crate::catalog::load::candidate::DocumentCandidate;
use crate::{Diagnostic, LoadError};

/// The result of scanning a source.
#[derive(Debug, Default)]
pub(crate) struct ScanResult {
    /// The documents that were found, sorted by path.
    pub(crate) found: Vec<DocumentCandidate>,
    pub(crate) diagnostics: Vec<Diagnostic>,
    pub(crate) error: Option<LoadError>,
}
