//! The unit of writing.

use super::table::TableChange;
use crate::bytes::record::Record;
use std::borrow::Cow;
use std::ops::RangeBounds;
use std::sync::Arc;

/// Changes to a log that are written together: after a crash, either all of them are in the log or none.
///
/// A commit consists of records, and of changes to the log's side tables. The changes apply in the given order, and cloning is
/// cheap.
///
/// ```
/// use skill_agent::store::{Commit, Record, RecordKind};
/// let commit = Commit::new([Record::new(1, RecordKind::Command, 1_767_225_600_000, "0199-…")])
///     .put("keys", "order-7", "answered")
///     .delete("keys", "order-1");
/// assert_eq!((commit.records().len(), commit.changes().len()), (1, 2));
/// assert!(Commit::default().is_empty());
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Commit {
    records: Arc<[Record]>,
    changes: Arc<Vec<TableChange>>,
}

impl Commit {
    /// Creates a commit of records, which must be in order and continue the log without a gap.
    pub fn new(records: impl Into<Arc<[Record]>>) -> Self {
        Self {
            records: records.into(),
            changes: Arc::default(),
        }
    }

    /// Adds a row to a side table, or replaces the row with this key. A table name has 1 to 64 bytes, a key at most 4 KiB, and a
    /// value at most 64 MiB.
    #[must_use]
    pub fn put(
        self,
        table: impl Into<Cow<'static, str>>,
        key: impl Into<Vec<u8>>,
        value: impl Into<Vec<u8>>,
    ) -> Self {
        self.with(TableChange::put(table, key, value))
    }

    /// Deletes a row of a side table if it exists.
    #[must_use]
    pub fn delete(self, table: impl Into<Cow<'static, str>>, key: impl Into<Vec<u8>>) -> Self {
        self.with(TableChange::delete(table, key))
    }

    /// Deletes the rows of a side table whose keys are in a range, compared as bytes. The range `..` deletes all rows.
    ///
    /// ```
    /// # use skill_agent::store::Commit;
    /// let by_time = |seconds: u64| seconds.to_be_bytes().to_vec();
    /// let commit = Commit::default().delete_range("times", ..by_time(1_767_225_600));
    /// assert_eq!(commit.changes().len(), 1);
    /// ```
    #[must_use]
    pub fn delete_range(
        self,
        table: impl Into<Cow<'static, str>>,
        keys: impl RangeBounds<Vec<u8>>,
    ) -> Self {
        match TableChange::delete_range(table.into(), &keys) {
            Some(change) => self.with(change),
            None => self,
        }
    }

    fn with(mut self, change: TableChange) -> Self {
        Arc::make_mut(&mut self.changes).push(change);
        self
    }

    /// Replaces the changes to side tables.
    #[doc(hidden)]
    pub fn with_changes(mut self, changes: Vec<TableChange>) -> Self {
        self.changes = Arc::new(changes);
        self
    }

    /// Returns the records, in order.
    pub fn records(&self) -> &[Record] {
        &self.records
    }

    /// Returns the changes to side tables, in order.
    pub fn changes(&self) -> &[TableChange] {
        &self.changes
    }

    /// Returns whether the commit changes nothing.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty() && self.changes.is_empty()
    }
}
