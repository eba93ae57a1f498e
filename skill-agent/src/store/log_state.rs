//! The state of an open log, shared by all engines.

use super::error::{Refusal, StoreError};
use super::frame::{self, PayloadKind};
use super::record::Record;
use super::recovery::Recovered;
use super::snapshot::Snapshot;

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

    /// Encodes records that may be appended.
    pub(super) fn encode_records(&self, records: &[Record]) -> Result<Vec<Vec<u8>>, StoreError> {
        let (_, mut last) = self.snapshot_and_last_seq()?;
        let frames = records.iter().map(|record| {
            let found = record.seq;
            if Some(found) != last.checked_add(1) {
                return Err(Refusal::Sequence { found, last });
            }
            last = found;
            frame::write(&self.id, PayloadKind::Record, found, record)
        });
        frames
            .collect::<Result<_, _>>()
            .map_err(|source| StoreError::refused(&*self.id, source))
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
            return Err(StoreError::refused(
                &*self.id,
                Refusal::Sequence { found, last },
            ));
        }
        frame::write(&self.id, PayloadKind::Snapshot, found, snapshot)
            .map_err(|source| StoreError::refused(&*self.id, source))
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
            Progress::Unread => Err(StoreError::refused(&*self.id, Refusal::NotRecovered)),
        }
    }
}
