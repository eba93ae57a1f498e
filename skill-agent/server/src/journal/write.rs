//! A command's record, and the side table rows written with it.

use super::size::record_size;
use skill_agent_store::{Commit, Log, Record, StoreError, TableChange};

/// A record with its side table changes.
pub(crate) struct Write {
    pub(crate) record: Record,
    pub(crate) rows: Vec<TableChange>,
}

impl From<Record> for Write {
    fn from(record: Record) -> Self {
        let rows = Vec::new();
        Self { record, rows }
    }
}

impl Write {
    /// Estimates the size in bytes.
    pub(crate) fn size(&self) -> usize {
        let rows = self.rows.iter().map(TableChange::size);
        record_size(&self.record) + rows.sum::<usize>()
    }
}

/// The commit for a batch of records.
pub(super) struct BatchCommit {
    pub(super) commit: Commit,
    /// For each record, the number of side table changes up to and including the record's own changes.
    ends: Vec<usize>,
}

impl BatchCommit {
    pub(super) fn new(writes: Vec<Write>) -> Self {
        let (mut records, mut rows) = (Vec::with_capacity(writes.len()), Vec::new());
        let mut ends = Vec::with_capacity(writes.len());
        for write in writes {
            records.push(write.record);
            rows.extend(write.rows);
            ends.push(rows.len());
        }
        Self {
            commit: Commit::new(records).with_changes(rows),
            ends,
        }
    }

    /// Returns the commit for a single record.
    fn one(&self, index: usize) -> Commit {
        let from = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        let rows = self.commit.changes()[from..self.ends[index]].to_vec();
        let record = self.commit.records()[index].clone();
        Commit::new([record]).with_changes(rows)
    }

    /// Commits as many records as the log accepts. If the log refuses the batch, commits the records one by one, so that a record
    /// that is too large does not fail earlier ones.
    pub(super) async fn write_prefix(self, log: &mut dyn Log) -> (usize, Option<StoreError>) {
        let count = self.ends.len();
        match log.commit(self.commit.clone()).await {
            Ok(()) => (count, None),
            Err(StoreError::Refused { .. }) if count > 1 => {
                for index in 0..count {
                    if let Err(error) = log.commit(self.one(index)).await {
                        return (index, Some(error));
                    }
                }
                (count, None)
            }
            Err(error) => (0, Some(error)),
        }
    }
}
