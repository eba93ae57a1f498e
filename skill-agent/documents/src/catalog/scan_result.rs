//! The result of scanning a source.

use super::candidate::DocumentCandidate;
use crate::{Diagnostic, LoadError};

/// The result of scanning a source.
#[derive(Debug, Default)]
pub(super) struct ScanResult {
    /// Sorted by path.
    pub(super) found: Vec<DocumentCandidate>,
    pub(super) diagnostics: Vec<Diagnostic>,
    pub(super) error: Option<LoadError>,
}
