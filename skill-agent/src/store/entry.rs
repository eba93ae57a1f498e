//! The state of an open entry, shared by all engines.

use super::error::{Refusal, StoreError};
use super::frame::{self, PayloadKind};
use super::record::Record;
use super::recovery::Recovered;
use super::snapshot::Snapshot;

/// The rules of a log, independent of the medium: `recover` comes first, numbers are consecutive, and nothing follows a
/// failure.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) id: String,
    pub(super) place: String,
    state: State,
}

#[derive(Debug)]
enum State {
    Unread,
    /// The numbers of the snapshot and of the last record.
    Read {
        snapshot: u64,
        last: u64,
    },
    Failed,
}

impl Entry {
    pub(super) fn new(id: &str, place: &str) -> Self {
        Self {
            id: id.to_owned(),
            place: place.to_owned(),
            state: State::Unread,
        }
    }

    /// Returns an error after a failed write: the log is then neither read nor written.
    pub(super) fn ensure_usable(&self) -> Result<(), StoreError> {
        match self.state {
            State::Failed => Err(StoreError::Failed {
                id: self.id.clone(),
                place: self.place.clone(),
                source: "a write failed before".into(),
            }),
            _ => Ok(()),
        }
    }

    /// Encodes records that may be appended.
    pub(super) fn records(&self, records: &[Record]) -> Result<Vec<Vec<u8>>, StoreError> {
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
            .map_err(|source| self.refused(source))
    }

    /// Encodes a snapshot that may replace the records up to its number.
    pub(super) fn snapshot(&self, snapshot: &Snapshot) -> Result<Vec<u8>, StoreError> {
        let (oldest, last) = self.snapshot_and_last_seq()?;
        let found = snapshot.seq;
        if found < oldest || found > last {
            return Err(self.refused(Refusal::Sequence { found, last }));
        }
        frame::write(&self.id, PayloadKind::Snapshot, found, snapshot)
            .map_err(|source| self.refused(source))
    }

    pub(super) fn recovered(&mut self, recovered: &Recovered) {
        self.state = State::Read {
            snapshot: recovered
                .snapshot
                .as_ref()
                .map_or(0, |snapshot| snapshot.seq),
            last: recovered.last_seq(),
        };
    }

    pub(super) fn appended(&mut self, records: &[Record]) {
        if let (State::Read { last, .. }, Some(record)) = (&mut self.state, records.last()) {
            *last = record.seq;
        }
    }

    pub(super) fn compacted(&mut self, seq: u64) {
        if let State::Read { snapshot, .. } = &mut self.state {
            *snapshot = seq;
        }
    }

    pub(super) fn refused(&self, source: Refusal) -> StoreError {
        StoreError::Refused {
            id: self.id.clone(),
            source,
        }
    }

    /// Marks the log as failed: its content is now unknown.
    pub(super) fn failed(
        &mut self,
        source: impl Into<Box<dyn std::error::Error + Send + Sync>>,
    ) -> StoreError {
        self.state = State::Failed;
        StoreError::Failed {
            id: self.id.clone(),
            place: self.place.clone(),
            source: source.into(),
        }
    }

    fn snapshot_and_last_seq(&self) -> Result<(u64, u64), StoreError> {
        self.ensure_usable()?;
        match self.state {
            State::Read { snapshot, last } => Ok((snapshot, last)),
            _ => Err(self.refused(Refusal::NotRecovered)),
        }
    }
}
