//! The state of an open log, shared by all engines.

use super::commit::Commit;
use super::error::{Refusal, StoreError};
use super::frame::{self, PayloadKind};
use super::record::Record;
use super::recovery::Recovered;
use super::snapshot::Snapshot;
use super::table::{self, TableChange};

/// A commit that follows the rules of its log.
pub(super) struct Encoded<'a> {
    /// The frames of the records, with their numbers.
    pub(super) records: Vec<(u64, Vec<u8>)>,
    pub(super) changes: &'a [TableChange],
}

/// The rules of a log, independent of the medium: `recover` comes first, and numbers are consecutive.
#[derive(Debug)]
pub(super) struct LogState {
    pub(super) id: String,
    progress: Progress,
}

#[derive(Debug)]
enum Progress {
    Unread,
    /// The numbers of the snapshot and of the last record.
    Read {
        snapshot: u64,
        last: u64,
    },
}

impl LogState {
    pub(super) fn new(id: &str) -> Self {
        Self {
            id: id.to_owned(),
            progress: Progress::Unread,
        }
    }

    /// Encodes a commit that may be written.
    pub(super) fn encode<'a>(&self, commit: &'a Commit) -> Result<Encoded<'a>, StoreError> {
        let records = self.encode_records(commit.records())?;
        let changes = commit.changes();
        changes
            .iter()
            .try_for_each(TableChange::check)
            .map_err(|source| self.refused(source))?;
        Ok(Encoded { records, changes })
    }

    fn encode_records(&self, records: &[Record]) -> Result<Vec<(u64, Vec<u8>)>, StoreError> {
        let (_, mut last) = self.snapshot_and_last_seq()?;
        let frames = records.iter().map(|record| {
            let found = record.seq;
            if Some(found) != last.checked_add(1) {
                return Err(Refusal::Sequence { found, last });
            }
            last = found;
            let frame = frame::write(&self.id, PayloadKind::Record, found, record)?;
            Ok((found, frame))
        });
        frames
            .collect::<Result<_, _>>()
            .map_err(|source| self.refused(source))
    }

    /// Checks a read of a row.
    pub(super) fn check_read(&self, table: &str, key: &[u8]) -> Result<(), StoreError> {
        self.snapshot_and_last_seq()?;
        table::check_key(table, key).map_err(|source| self.refused(source))
    }

    /// Checks a scan of rows.
    pub(super) fn check_scan(&self, table: &str, from: &[u8]) -> Result<(), StoreError> {
        self.snapshot_and_last_seq()?;
        table::check_bound(table, from).map_err(|source| self.refused(source))
    }

    /// Encodes a snapshot that may replace the records up to its number, after `records` were appended.
    pub(super) fn encode_snapshot(
        &self,
        snapshot: &Snapshot,
        records: &[Record],
    ) -> Result<Vec<u8>, StoreError> {
        let (oldest, last) = self.snapshot_and_last_seq()?;
        let last = records.last().map_or(last, |record| record.seq);
        let found = snapshot.seq;
        if found < oldest || found > last {
            return Err(self.refused(Refusal::Sequence { found, last }));
        }
        frame::write(&self.id, PayloadKind::Snapshot, found, snapshot)
            .map_err(|source| self.refused(source))
    }

    pub(super) fn recovered(&mut self, recovered: &Recovered) {
        self.progress = Progress::Read {
            snapshot: recovered
                .snapshot
                .as_ref()
                .map_or(0, |snapshot| snapshot.seq),
            last: recovered.last_seq(),
        };
    }

    pub(super) fn appended(&mut self, records: &[Record]) {
        if let (Progress::Read { last, .. }, Some(record)) = (&mut self.progress, records.last()) {
            *last = record.seq;
        }
    }

    pub(super) fn compacted(&mut self, seq: u64) {
        if let Progress::Read { snapshot, .. } = &mut self.progress {
            *snapshot = seq;
        }
    }

    fn snapshot_and_last_seq(&self) -> Result<(u64, u64), StoreError> {
        match self.progress {
            Progress::Read { snapshot, last } => Ok((snapshot, last)),
            Progress::Unread => Err(self.refused(Refusal::NotRecovered)),
        }
    }

    fn refused(&self, source: Refusal) -> StoreError {
        StoreError::refused(&*self.id, source)
    }
}
