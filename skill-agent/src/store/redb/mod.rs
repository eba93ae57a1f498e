//! A store in one file.

mod file;
mod tables;

use super::entry::Entry;
use super::error::StoreError;
use super::record::Record;
use super::recovery::{Recovered, Replay};
use super::snapshot::Snapshot;
use super::{Log, Store};
use ::redb::{Database, Error};
use file::OpenFile;
use std::path::Path;
use std::sync::Arc;
use tables::Stored;

/// A store in one [redb](https://www.redb.org) file, which only one process at a time can use. Within the process the
/// file is opened once: clones, and further calls of `open` for the same file, are handles to it, and each entry still
/// has one owner. The file is closed when the last handle or log is dropped.
///
/// An append is one commit with one fsync. Opening reads the whole file and verifies every checksum. It cannot detect
/// damage to the very last commit of a killed process: this looks like an unfinished commit, and the file is restored
/// to the state before it. Nothing else may write to the file while it is open. An empty file is treated as a new one.
///
/// ```
/// use skill_agent::store::{RecordKind, Log, Record, Redb, Store};
/// # let folder = tempfile::tempdir()?;
/// let store = Redb::open(folder.path().join("agents.redb"))?;
/// let mut log = store.open("calc-1")?;
/// assert_eq!(log.recover()?.last_seq(), 0);
/// log.append(&[Record::new(1, RecordKind::Command, 1_767_225_600_000, "0199-…")])?;
/// drop((log, store));
/// let store = Redb::open(folder.path().join("agents.redb"))?;
/// assert_eq!(store.open("calc-1")?.recover()?.last_seq(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Redb {
    file: Arc<OpenFile>,
}

impl Redb {
    /// Opens the file, or creates it if it does not exist. Its folder must exist.
    ///
    /// # Errors
    /// [`StoreError::InUse`] if another process has it open, [`StoreError::Corrupt`] if it is damaged or belongs to
    /// another program, [`StoreError::Format`] if a newer build wrote it, [`StoreError::Open`] if the system refuses.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, StoreError> {
        OpenFile::open(path.as_ref()).map(|file| Self { file })
    }
}

impl Store for Redb {
    fn open(&self, id: &str) -> Result<Box<dyn Log>, StoreError> {
        let mut entry = Entry::new(id, &self.file.place());
        if self.file.failed() {
            return Err(entry.failed(
                "an earlier write to the file failed; drop all handles and logs of the file, then open it again",
            ));
        }
        if !self.file.own(id) {
            return Err(StoreError::Owned { id: id.to_owned() });
        }
        Ok(Box::new(RedbLog {
            file: Arc::clone(&self.file),
            entry,
        }))
    }
}

/// Decodes an entry up to the first invalid record.
fn replay(entry: &Entry, stored: &Stored) -> Result<Recovered, StoreError> {
    let snapshot = stored.snapshot.as_deref();
    let mut replay = Replay::new(&entry.id, &entry.place, snapshot)?;
    for (at, (seq, frame)) in stored.records.iter().enumerate() {
        // Records that the snapshot includes are not a gap.
        if *seq < replay.next_seq() {
            continue;
        }
        let taken = if *seq == replay.next_seq() {
            replay.read_whole_record(frame)?
        } else {
            Err(replay.gap(*seq)?)
        };
        if let Err(flaw) = taken {
            let lost = &stored.records[at..];
            let bytes = lost.iter().map(|(_, frame)| frame.len() as u64).sum();
            replay.cut_off(flaw, bytes, Some(lost.len() as u64));
            break;
        }
    }
    Ok(replay.finish())
}

struct RedbLog {
    file: Arc<OpenFile>,
    entry: Entry,
}

impl RedbLog {
    /// Changes the file. After an error its content is unknown.
    fn write(
        &mut self,
        work: impl FnOnce(&Database, &str) -> Result<(), Error>,
    ) -> Result<(), StoreError> {
        let written = self.file.write(|database| work(database, &self.entry.id));
        written.map_err(|error| self.entry.failed(error))
    }
}

impl Log for RedbLog {
    fn recover(&mut self) -> Result<Recovered, StoreError> {
        self.entry.ensure_usable()?;
        let stored = match self
            .file
            .read(|database| tables::read(database, &self.entry.id))
        {
            Ok(stored) => stored,
            Err(Error::Corrupted(reason)) => {
                let place = self.entry.place.clone();
                return Err(StoreError::Corrupt { place, reason });
            }
            Err(error) => return Err(self.entry.failed(error)),
        };
        let recovered = replay(&self.entry, &stored)?;
        if let Some(damage) = &recovered.damage {
            let from = damage.at_seq;
            self.write(|database, id| tables::cut(database, id, from))?;
        }
        self.entry.recovered(&recovered);
        Ok(recovered)
    }

    fn append(&mut self, records: &[Record]) -> Result<(), StoreError> {
        let frames = self.entry.records(records)?;
        let Some(first) = records.first() else {
            return Ok(());
        };
        self.write(|database, id| tables::append(database, id, first.seq, &frames))?;
        self.entry.appended(records);
        Ok(())
    }

    fn compact(&mut self, snapshot: &Snapshot) -> Result<(), StoreError> {
        let frame = self.entry.snapshot(snapshot)?;
        self.write(|database, id| tables::compact(database, id, snapshot.seq, &frame))?;
        self.entry.compacted(snapshot.seq);
        Ok(())
    }
}

impl Drop for RedbLog {
    fn drop(&mut self) {
        self.file.disown(&self.entry.id);
    }
}
