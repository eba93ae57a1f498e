//! The rules of an open log, which all engines share.

use super::commit::Commit;
use super::error::{Refusal, StoreError};
use super::recovery::{LogDecoder, ReadOutcome, Recovered};
use super::table::{self, TableChange};
use crate::bytes::frame;
use crate::bytes::frame::PayloadKind;
use crate::bytes::record::Record;
use crate::bytes::row;
use crate::bytes::snapshot::Snapshot;

/// An encoded commit that the log accepts.
#[derive(Debug)]
#[non_exhaustive]
pub struct EncodedCommit<'a> {
    /// The number and frame of each record, in order.
    pub records: Vec<(u64, Vec<u8>)>,
    /// The changes to side tables, in order. They are not encoded: an engine encodes the value of a `Put` with
    /// [`LogRules::encode_row`] before storing it, and decodes it with [`LogRules::decode_row`].
    pub changes: &'a [TableChange],
}

/// The behavior that all logs share, whatever their medium. Engines inside and outside this crate build on it.
///
/// Refuses input that no log accepts ([`Refusal`]), and encodes snapshots, records and rows with checksums. The engine stores the
/// bytes:
///
/// ```
/// use skill_agent::store::{Commit, LogRules, Record, RecordKind, StoreError};
/// let mut rules = LogRules::new("calc-1", "the place, for errors");
/// let commit = Commit::new([Record::new(1, RecordKind::Command, 1_767_225_600_000, "0199-…")]);
/// assert!(rules.encode(&commit).is_err()); // not recovered yet
///
/// // `recover`: the bytes of the snapshot, then of the records in order
/// let mut stored = Vec::new();
/// let recovered = rules.decode(None, &stored)?;
/// rules.recovered(&recovered); // after the engine has deleted the records from `recovered.damage.at_seq` on
///
/// // `commit`
/// stored.extend(rules.encode(&commit)?.records);
/// rules.committed(&commit); // after the engine has written
/// assert_eq!(rules.decode(None, &stored)?.records, commit.records());
/// # Ok::<(), StoreError>(())
/// ```
#[derive(Debug)]
pub struct LogRules {
    id: String,
    place: String,
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

impl LogRules {
    /// Creates the rules for a log that has not been recovered yet. `place`, such as a file path, appears in errors.
    pub fn new(id: impl Into<String>, place: impl Into<String>) -> Self {
        Self {
            id: id.into(),
            place: place.into(),
            progress: Progress::Unread,
        }
    }

    /// Returns the log's id.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Returns the `place` passed to [`new`](Self::new).
    pub fn place(&self) -> &str {
        &self.place
    }

    /// Decodes a log's frames: its snapshot, and its records in order of their numbers. Skips records that the snapshot includes.
    /// If [`Recovered::damage`] is set, the engine must delete the first damaged record and everything after it, and then call
    /// [`recovered`](Self::recovered).
    ///
    /// # Errors
    /// Returns [`StoreError::Corrupt`] for unreadable data, and [`StoreError::Format`] for data from a newer build.
    pub fn decode(
        &self,
        snapshot: Option<&[u8]>,
        records: &[(u64, Vec<u8>)],
    ) -> Result<Recovered, StoreError> {
        let mut decoder = LogDecoder::new(&self.id, &self.place, snapshot)?;
        for (at, (seq, frame)) in records.iter().enumerate() {
            // records that the snapshot includes are skipped; they are not a gap
            if *seq < decoder.next_seq() {
                continue;
            }
            let outcome = if *seq == decoder.next_seq() {
                decoder.read_whole_record(frame)?
            } else {
                ReadOutcome::Damaged(decoder.gap(*seq)?)
            };
            if let ReadOutcome::Damaged(flaw) = outcome {
                let lost = &records[at..];
                let bytes = lost.iter().map(|(_, frame)| frame.len() as u64).sum();
                decoder.cut_off(flaw, bytes, Some(lost.len() as u64));
                break;
            }
        }
        Ok(decoder.finish())
    }

    /// Encodes a commit before it is written.
    ///
    /// # Errors
    /// Returns [`StoreError::Refused`] before recovery, for a number that is out of sequence, and for data that is too large or
    /// cannot be encoded.
    pub fn encode<'a>(&self, commit: &'a Commit) -> Result<EncodedCommit<'a>, StoreError> {
        let records = self.encode_records(commit.records())?;
        let changes = commit.changes();
        changes
            .iter()
            .try_for_each(TableChange::check)
            .map_err(|source| self.refused(source))?;
        Ok(EncodedCommit { records, changes })
    }

    /// Encodes a snapshot that replaces the records up to its number once `commit` has been written.
    ///
    /// # Errors
    /// Returns the same errors as [`encode`](Self::encode).
    pub fn encode_snapshot(
        &self,
        snapshot: &Snapshot,
        commit: &Commit,
    ) -> Result<Vec<u8>, StoreError> {
        let (oldest, last) = self.snapshot_and_last_seq()?;
        let last = commit.records().last().map_or(last, |record| record.seq);
        let found = snapshot.seq;
        if found < oldest || found > last {
            return Err(self.refused(Refusal::Sequence { found, last }));
        }
        frame::write(&self.id, PayloadKind::Snapshot, found, snapshot)
            .map_err(|source| self.refused(source))
    }

    /// Checks the arguments of [`Log::read`](super::Log::read).
    ///
    /// # Errors
    /// Returns [`StoreError::Refused`] before recovery, and for an invalid table name or key.
    pub fn check_read(&self, table: &str, key: &[u8]) -> Result<(), StoreError> {
        self.snapshot_and_last_seq()?;
        table::check_key(table, key).map_err(|source| self.refused(source))
    }

    /// Checks the arguments of [`Log::scan`](super::Log::scan).
    ///
    /// # Errors
    /// Returns [`StoreError::Refused`] before recovery, and for an invalid table name or key.
    pub fn check_scan(&self, table: &str, from: &[u8]) -> Result<(), StoreError> {
        self.snapshot_and_last_seq()?;
        table::check_bound(table, from).map_err(|source| self.refused(source))
    }

    /// Encodes a row for a side table.
    pub fn encode_row(&self, table: &str, key: &[u8], value: &[u8]) -> Vec<u8> {
        row::write(&self.id, table, key, value)
    }

    /// Decodes a row from a side table, and returns its value.
    ///
    /// # Errors
    /// Returns [`StoreError::Corrupt`] for a damaged row.
    pub fn decode_row(&self, table: &str, key: &[u8], row: &[u8]) -> Result<Vec<u8>, StoreError> {
        row::read(&self.id, &self.place, table, key, row)
    }

    /// Records the result of recovery, after which the log can be written to.
    pub fn recovered(&mut self, recovered: &Recovered) {
        self.progress = Progress::Read {
            snapshot: recovered
                .snapshot
                .as_ref()
                .map_or(0, |snapshot| snapshot.seq),
            last: recovered.last_seq(),
        };
    }

    /// Records that a commit has been written.
    pub fn committed(&mut self, commit: &Commit) {
        let record = commit.records().last();
        if let (Progress::Read { last, .. }, Some(record)) = (&mut self.progress, record) {
            *last = record.seq;
        }
    }

    /// Records that a compaction and its commit have been written.
    pub fn compacted(&mut self, snapshot: &Snapshot, commit: &Commit) {
        self.committed(commit);
        if let Progress::Read {
            snapshot: newest, ..
        } = &mut self.progress
        {
            *newest = snapshot.seq;
        }
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
