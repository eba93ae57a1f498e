//! A store in one file.

mod creation;
mod file;
mod rows;
mod tables;
mod writer;

use super::commit::Commit;
use super::error::StoreError;
use super::log_rules::LogRules;
use super::recovery::Recovered;
use super::{Log, LogFuture, Row, Store};
use crate::bytes::snapshot::Snapshot;
use ::redb::{Database, Error};
use file::{OpenFile, OwnedLog, Write};
use std::path::Path;
use std::sync::Arc;
use tables::Change;
use tokio::sync::oneshot;
use writer::Written;

/// A store in one [redb](https://www.redb.org) file. Only one process at a time can use the file. Within a process, the file is
/// opened once: clones, and more calls of `open` for the same file, are handles to it, but each log still has only one owner. The
/// file is closed when the last handle or log is dropped and its last write has ended. Dropping a runtime does not wait for that
/// write; stop the servers first.
///
/// A single thread writes to the file, and merges the waiting commits of all logs into one transaction with one fsync. If a write
/// fails, all logs of the file refuse further writes until the file is closed and opened again. Opening a file reads all of it
/// and verifies every checksum. If a process was killed, damage to its very last commit cannot be detected: it looks like an
/// unfinished commit, and the file is restored to the state before that commit. Nothing else may write to the file while it is
/// open. An empty file is treated as new, and so is a file whose creation was interrupted before its first commit.
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
    /// Opens the file, or creates it if it does not exist, in a folder that must exist.
    ///
    /// # Errors
    /// Returns [`StoreError::InUse`] if another process has the file open, [`StoreError::Corrupt`] if it is damaged or belongs to
    /// a different program, [`StoreError::Format`] if a newer build wrote it, and [`StoreError::Open`] if the system refuses
    /// access or the thread that writes.
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
        let log = OwnedLog {
            file: Arc::clone(&self.file),
            id: id.to_owned(),
        };
        Ok(Box::new(RedbLog {
            log: Arc::new(log),
            rules: LogRules::new(id, place),
            writing: None,
            failed: false,
        }))
    }
}

struct RedbLog {
    log: Arc<OwnedLog>,
    rules: LogRules,
    /// The write that has begun, until its result is known. The future that waited for it may have been dropped.
    writing: Option<oneshot::Receiver<Written>>,
    /// Set after an access to the file has failed, so that the log refuses all reads and writes.
    failed: bool,
}

impl RedbLog {
    /// Waits for the write that has begun, if any.
    async fn settle(&mut self) -> Result<(), StoreError> {
        let Some(writing) = &mut self.writing else {
            return Ok(());
        };
        let written = writing.await;
        self.writing = None;
        match written {
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) => Err(self.fail(error)),
            Err(_) => Err(self.fail("the thread that writes to the file has ended")),
        }
    }

    /// Waits for the write that has begun, and checks that no access has failed.
    async fn ensure_usable(&mut self) -> Result<(), StoreError> {
        self.settle().await?;
        if self.failed {
            return Err(StoreError::failed(
                self.rules.id(),
                self.rules.place(),
                "an access failed before",
            ));
        }
        Ok(())
    }

    fn fail(&mut self, error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> StoreError {
        self.failed = true;
        StoreError::failed(self.rules.id(), self.rules.place(), error)
    }

    /// Makes a change to the file. The rules already count it as made: after an error, the log is not used again.
    async fn write(&mut self, change: Change) -> Result<(), StoreError> {
        let log = Arc::clone(&self.log);
        self.writing = Some(self.log.file.writer().write(Write { log, change }));
        self.settle().await
    }

    /// Reads the file on a thread for blocking work.
    async fn read_file<T: Send + 'static>(
        &mut self,
        work: impl FnOnce(&Database, &str) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, StoreError> {
        let log = Arc::clone(&self.log);
        let read = move || log.file.read(|database| work(database, &log.id));
        match tokio::task::spawn_blocking(read).await {
            Ok(Ok(read)) => Ok(read),
            Ok(Err(Error::Corrupted(reason))) => {
                Err(StoreError::corrupt(self.rules.place(), reason))
            }
            Ok(Err(error)) => Err(self.fail(error)),
            Err(error) => Err(self.fail(error)),
        }
    }
}

impl Log for RedbLog {
    fn recover(&mut self) -> LogFuture<'_, Recovered> {
        Box::pin(async {
            self.ensure_usable().await?;
            let stored = self.read_file(tables::read).await?;
            let recovered = self
                .rules
                .decode(stored.snapshot.as_deref(), &stored.records)?;
            self.rules.recovered(&recovered);
            if let Some(damage) = &recovered.damage {
                self.write(Change::Cut(damage.at_seq)).await?;
            }
            Ok(recovered)
        })
    }

    fn commit(&mut self, commit: Commit) -> LogFuture<'_, ()> {
        Box::pin(async move {
            self.ensure_usable().await?;
            let records = self.rules.encode(&commit)?.records;
            if commit.is_empty() {
                return Ok(());
            }
            self.rules.committed(&commit);
            let snapshot = None;
            self.write(Change::Commit {
                snapshot,
                records,
                commit,
            })
            .await
        })
    }

    fn compact(&mut self, snapshot: Snapshot, commit: Commit) -> LogFuture<'_, ()> {
        Box::pin(async move {
            self.ensure_usable().await?;
            let frame = self.rules.encode_snapshot(&snapshot, &commit)?;
            let records = self.rules.encode(&commit)?.records;
            self.rules.compacted(&snapshot, &commit);
            let snapshot = Some((snapshot.seq, frame));
            self.write(Change::Commit {
                snapshot,
                records,
                commit,
            })
            .await
        })
    }

    fn read<'a>(&'a mut self, table: &'a str, key: &'a [u8]) -> LogFuture<'a, Option<Vec<u8>>> {
        Box::pin(async move {
            self.ensure_usable().await?;
            self.rules.check_read(table, key)?;
            let (name, at) = (table.to_owned(), key.to_owned());
            let row = self.read_file(move |database, id| rows::read(database, id, &name, &at));
            let row = row.await?;
            row.map(|row| self.rules.decode_row(table, key, &row))
                .transpose()
        })
    }

    fn scan<'a>(
        &'a mut self,
        table: &'a str,
        from: &'a [u8],
        limit: usize,
    ) -> LogFuture<'a, Vec<Row>> {
        Box::pin(async move {
            self.ensure_usable().await?;
            self.rules.check_scan(table, from)?;
            let (name, from) = (table.to_owned(), from.to_owned());
            let rows =
                self.read_file(move |database, id| rows::scan(database, id, &name, &from, limit));
            let values = rows.await?.into_iter().map(|(key, row)| {
                let value = self.rules.decode_row(table, &key, &row)?;
                Ok((key, value))
            });
            values.collect()
        })
    }
}
