//! The unit of writing.

use super::record::Record;
use std::sync::Arc;

/// Changes of a log that are written together: after a crash either all of them are there, or none.
///
/// Cloning it is cheap.
///
/// ```
/// use skill_agent::store::{Commit, Record, RecordKind};
/// let commit = Commit::new([Record::new(1, RecordKind::Command, 1_767_225_600_000, "0199-…")]);
/// assert_eq!(commit.records().len(), 1);
/// assert!(Commit::default().is_empty());
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Commit {
    records: Arc<[Record]>,
}

impl Commit {
    /// Creates a commit of records, which must be in order and follow those of the log without a gap.
    pub fn new(records: impl Into<Arc<[Record]>>) -> Self {
        Self {
            records: records.into(),
        }
    }

    /// Returns the records, in order.
    pub fn records(&self) -> &[Record] {
        &self.records
    }

    /// Whether it changes nothing.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }
}
