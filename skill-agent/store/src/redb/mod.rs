//! A store in one file.

mod file;
mod rows;
mod tables;

use super::blocking::{BlockingLog, blocking};
use super::commit::Commit;
use super::error::StoreError;
use super::log_rules::LogRules;
use super::recovery::Recovered;
use super::{Log, Row, Store};
use crate::bytes::snapshot::Snapshot;
use ::redb::{Database, Error};
use file::OpenFile;
use std::path::Path;
use std::sync::Arc;

/// A store in one [redb](https://www.redb.org) file. Only one process at a time can use the file. Within a process, the file is
/// opened once: clones, and more calls of `open` for the same file, are handles to it. Each log still has only one owner. The
/// file is closed when the last handle or log is dropped.
///
/// A commit is one transaction with one fsync, on a thread for blocking work. Opening a file reads all of it and verifies every
/// checksum. If a process was killed, damage to its very last commit cannot be detected: it looks like an unfinished commit, and
/// the file is restored to the state before that commit. Nothing else may write to the file while it is open. An empty file is
/// treated as new, and so is a file whose creation was interrupted before its first commit.
///
/// On Unix, a write fails if the file was deleted, moved or replaced in the meantime, because the next start would not find the
/// data.
///
/// ```
/// use skill_agent::store::{Commit, Log, Record, RecordKind, Redb, Store};
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = tempfile::tempdir()?;
/// let store = Redb::open(folder.path().join("agents.redb"))?;
/// let mut log = store.open("calc-1")?;
/// assert_eq!(log.recover().await?.last_seq(), 0);
/// log.commit(Commit::new([Record::new(1, RecordKind::Command, 1_767_225_600_000, "0199-…")])).await?;
/// drop((log, store));
/// let store = Redb::open(folder.path().join("agents.redb"))?;
/// assert_eq!(store.open("calc-1")?.recover().await?.last_seq(), 1);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Redb {
    file: Arc<OpenFile>,
}

impl Redb {
    /// Opens the file, or creates it if it does not exist. The file's folder must exist.
    ///
    /// # Errors
    /// Returns [`StoreError::InUse`] if another process has the file open, [`StoreError::Corrupt`] if it is damaged or belongs to
    /// a different program, [`StoreError::Format`] if a newer build wrote it, and [`StoreError::Open`] if the system refuses
    /// access.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, StoreError> {
        OpenFile::open(path.as_ref()).map(|file| Self { file })
    }
}

impl Store for Redb {
    fn open(&self, id: &str) -> Result<Box<dyn Log>, StoreError> {
        let place = self.file.place();
        if self.file.failed() {
            return Err(StoreError::failed(
                id,
                place,
                "an earlier write to the file failed; drop all handles and logs of the file, then open it again",
            ));
        }
        if !self.file.own(id) {
            return Err(StoreError::owned(id));
        }
        let log = RedbLog {
            file: Arc::clone(&self.file),
            rules: LogRules::new(id, &*place),
            failed: false,
        };
        Ok(blocking(id, place, log))
    }
}

struct RedbLog {
    file: Arc<OpenFile>,
    rules: LogRules,
    /// Set after an access to the file has failed. The log then refuses all reads and writes.
    failed: bool,
}

impl RedbLog {
    fn ensure_usable(&self) -> Result<(), StoreError> {
        if self.failed {
            return Err(StoreError::failed(
                self.rules.id(),
                self.rules.place(),
                "an access failed before",
            ));
        }
        Ok(())
    }

    fn fail(&mut self, error: Error) -> StoreError {
        self.failed = true;
        StoreError::failed(self.rules.id(), self.rules.place(), error)
    }

    /// Makes a change to the file. After an error, the contents of the file are unknown.
    fn write(
        &mut self,
        work: impl FnOnce(&Database, &str) -> Result<(), Error>,
    ) -> Result<(), StoreError> {
        let written = self.file.write(|database| work(database, self.rules.id()));
        written.map_err(|error| self.fail(error))
    }

    fn read_file<T>(
        &mut self,
        work: impl FnOnce(&Database, &str) -> Result<T, Error>,
    ) -> Result<T, StoreError> {
        let read = self.file.read(|database| work(database, self.rules.id()));
        read.map_err(|error| match error {
            Error::Corrupted(reason) => StoreError::corrupt(self.rules.place(), reason),
            error => self.fail(error),
        })
    }
}

impl BlockingLog for RedbLog {
    fn recover(&mut self) -> Result<Recovered, StoreError> {
        self.ensure_usable()?;
        let stored = self.read_file(tables::read)?;
        let recovered = self
            .rules
            .decode(stored.snapshot.as_deref(), &stored.records)?;
        if let Some(damage) = &recovered.damage {
            let from = damage.at_seq;
            self.write(|database, id| tables::cut(database, id, from))?;
        }
        self.rules.recovered(&recovered);
        Ok(recovered)
    }

    fn commit(&mut self, commit: &Commit) -> Result<(), StoreError> {
        self.ensure_usable()?;
        let encoded = self.rules.encode(commit)?;
        if commit.is_empty() {
            return Ok(());
        }
        self.write(|database, id| tables::append(database, id, &encoded))?;
        self.rules.committed(commit);
        Ok(())
    }

    fn compact(&mut self, snapshot: &Snapshot, commit: &Commit) -> Result<(), StoreError> {
        self.ensure_usable()?;
        let frame = self.rules.encode_snapshot(snapshot, commit)?;
        let encoded = self.rules.encode(commit)?;
        self.write(|database, id| tables::compact(database, id, (snapshot.seq, &frame), &encoded))?;
        self.rules.compacted(snapshot, commit);
        Ok(())
    }

    fn read(&mut self, table: &str, key: &[u8]) -> Result<Option<Vec<u8>>, StoreError> {
        self.ensure_usable()?;
        self.rules.check_read(table, key)?;
        let row = self.read_file(|database, id| rows::read(database, id, table, key))?;
        row.map(|row| self.rules.decode_row(table, key, &row))
            .transpose()
    }

    fn scan(&mut self, table: &str, from: &[u8], limit: usize) -> Result<Vec<Row>, StoreError> {
        self.ensure_usable()?;
        self.rules.check_scan(table, from)?;
        let rows = self.read_file(|database, id| rows::scan(database, id, table, from, limit))?;
        let values = rows.into_iter().map(|(key, row)| {
            let value = self.rules.decode_row(table, &key, &row)?;
            Ok((key, value))
        });
        values.collect()
    }
}

impl Drop for RedbLog {
    fn drop(&mut self) {
        self.file.disown(self.rules.id());
    }
}
