//! The files that are open in this process. Each file is opened only once.

use super::creation::{catch_panics, checked, database, open_error, restart_creation, sync_folder};
use super::tables::{self, Change};
use super::writer::{Writer, Written};
use crate::error::StoreError;
use ::redb::{Database, Error};
use std::collections::HashSet;
use std::fmt;
use std::fs::{File, OpenOptions};
#[cfg(unix)]
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};

/// The open files. redb cannot open a file twice, even within one process, but a stopped server and its successor may briefly
/// overlap.
static OPEN: Mutex<Vec<(Identity, Weak<OpenFile>)>> = Mutex::new(Vec::new());
/// Notified when a file has been closed.
static CLOSED: Condvar = Condvar::new();

/// The identity of a file. On Unix, the path is not part of it: if a file is deleted and created again, the path leads to a
/// different file.
#[cfg(unix)]
type Identity = (u64, u64);
#[cfg(not(unix))]
type Identity = PathBuf;

pub(super) struct OpenFile {
    path: PathBuf,
    /// The absolute path, which does not depend on the working folder, and the file to which it led.
    #[cfg(unix)]
    origin: (PathBuf, Identity),
    /// The database, or `None` while it is being dropped.
    database: Option<Database>,
    owned: Mutex<HashSet<String>>,
    writer: Writer<Write>,
    /// Set after a write has failed, because the state that this process has cached may then differ from the file.
    failed: AtomicBool,
}

/// A log that this process has open. Its id is free again once the log and its last access have ended.
pub(super) struct OwnedLog {
    pub(super) file: Arc<OpenFile>,
    pub(super) id: String,
}

impl Drop for OwnedLog {
    fn drop(&mut self) {
        self.file.disown(&self.id);
    }
}

/// A write to one log.
pub(super) struct Write {
    pub(super) log: Arc<OwnedLog>,
    pub(super) change: Change,
}

/// Makes the changes in one transaction, since all writes of a thread are to one file.
fn write_all(writes: &[Write]) -> Written {
    let changes = writes.iter().map(|write| (&*write.log.id, &write.change));
    let file = &writes[0].log.file;
    let written = file.write(|database| tables::write(database, changes));
    written.map_err(Arc::new)
}

impl OpenFile {
    pub(super) fn open(path: &Path) -> Result<Arc<Self>, StoreError> {
        let open_failed = |error: std::io::Error| StoreError::Open {
            path: path.to_owned(),
            source: error.into(),
        };
        // create the file without truncating it, like redb does later
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(open_failed)?;
        let identity = identity(&file, path).map_err(open_failed)?;
        #[cfg(unix)]
        let absolute = std::path::absolute(path).map_err(open_failed)?;
        let mut open = lock(&OPEN);
        loop {
            match open.iter().find(|(known, _)| *known == identity) {
                None => break,
                Some((_, file)) => match file.upgrade() {
                    Some(file) => return Ok(file),
                    // the last handle was dropped, and another thread is closing the file
                    None => open = CLOSED.wait(open).unwrap_or_else(PoisonError::into_inner),
                },
            }
        }
        restart_creation(&file).map_err(open_failed)?;
        let database = catch_panics(|| database(path)).map_err(|error| open_error(error, path))?;
        let database = checked(database, path)?;
        sync_folder(path);
        let writer = Writer::start(write_all).map_err(open_failed)?;
        let file = Arc::new(Self {
            path: path.to_owned(),
            #[cfg(unix)]
            origin: (absolute, identity),
            database: Some(database),
            owned: Mutex::default(),
            writer,
            failed: AtomicBool::new(false),
        });
        open.push((identity, Arc::downgrade(&file)));
        Ok(file)
    }

    pub(super) fn place(&self) -> String {
        self.path.display().to_string()
    }

    /// Takes ownership of a log. Returns `false` if it already has an owner.
    pub(super) fn own(&self, id: &str) -> bool {
        lock(&self.owned).insert(id.to_owned())
    }

    pub(super) fn disown(&self, id: &str) {
        lock(&self.owned).remove(id);
    }

    pub(super) fn writer(&self) -> &Writer<Write> {
        &self.writer
    }

    pub(super) fn failed(&self) -> bool {
        self.failed.load(Ordering::Acquire)
    }

    pub(super) fn read<T>(
        &self,
        work: impl FnOnce(&Database) -> Result<T, Error>,
    ) -> Result<T, Error> {
        match &self.database {
            Some(database) => catch_panics(|| work(database)),
            None => Err(Error::DatabaseClosed),
        }
    }

    /// Like `read`, but after an error, the file is not written to again, and no more logs can be opened in this process.
    pub(super) fn write(
        &self,
        work: impl FnOnce(&Database) -> Result<(), Error>,
    ) -> Result<(), Error> {
        if self.failed() {
            return Err(Error::Io(std::io::Error::other(
                "an earlier write to the file failed",
            )));
        }
        self.read(work)
            .and_then(|()| self.ensure_in_place())
            .inspect_err(|_| self.failed.store(true, Ordering::Release))
    }

    /// Returns an error if the path no longer leads to the file, because the next start would not find the data.
    #[cfg(unix)]
    fn ensure_in_place(&self) -> Result<(), Error> {
        let (path, identity) = &self.origin;
        let is_in_place = match identity_at(path) {
            Ok(found) => found == *identity,
            // without permission to look, assume that the file is there
            Err(error) => error.kind() != ErrorKind::NotFound,
        };
        if is_in_place {
            return Ok(());
        }
        let reason = "the file was deleted, moved or replaced while it was open";
        Err(Error::Io(std::io::Error::other(reason)))
    }

    /// Does nothing, because other systems do not delete open files.
    #[cfg(not(unix))]
    fn ensure_in_place(&self) -> Result<(), Error> {
        Ok(())
    }
}

impl fmt::Debug for OpenFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenFile")
            .field("path", &self.path)
            .finish_non_exhaustive()
    }
}

impl Drop for OpenFile {
    fn drop(&mut self) {
        let database = self.database.take();
        // closing the database writes once more; if that fails, the next open repairs the file
        let _ = catch_panics(|| {
            drop(database);
            Ok(())
        });
        lock(&OPEN).retain(|(_, file)| !std::ptr::eq(file.as_ptr(), self));
        CLOSED.notify_all();
    }
}

#[cfg(unix)]
fn identity(file: &File, _: &Path) -> std::io::Result<Identity> {
    file.metadata().map(|metadata| identity_of(&metadata))
}

/// Returns the identity of the file at a path, and reads nothing else of its inode: once the times of a file were read, Linux has
/// the next write set them again, so that each commit would also write the inode.
#[cfg(target_os = "linux")]
fn identity_at(path: &Path) -> std::io::Result<Identity> {
    use rustix::fs::{AtFlags, CWD, StatxFlags, makedev, statx};
    let found = statx(CWD, path, AtFlags::empty(), StatxFlags::INO)?;
    let device = makedev(found.stx_dev_major, found.stx_dev_minor);
    Ok((device, found.stx_ino))
}

#[cfg(all(unix, not(target_os = "linux")))]
fn identity_at(path: &Path) -> std::io::Result<Identity> {
    std::fs::metadata(path).map(|metadata| identity_of(&metadata))
}

#[cfg(unix)]
fn identity_of(metadata: &std::fs::Metadata) -> Identity {
    use std::os::unix::fs::MetadataExt;
    (metadata.dev(), metadata.ino())
}

#[cfg(not(unix))]
fn identity(_: &File, path: &Path) -> std::io::Result<Identity> {
    path.canonicalize()
}

// ignore poisoning, because a panic cannot leave these collections half changed
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Redb, Store};

    #[test]
    fn after_a_failed_write_no_log_of_the_file_is_opened_until_it_is_closed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("agents.redb");
        let store = Redb::open(&path).unwrap();
        drop(store.open("a").unwrap());
        let file = OpenFile::open(&path).unwrap();
        file.write(|_| Err(Error::Corrupted("no disk".to_owned())))
            .unwrap_err();
        let error = store.open("a").map(drop).unwrap_err();
        assert!(
            skill_core::process::full_text(&error).contains("drop all handles and logs"),
            "{error}"
        );
        drop((store, file));
        let store = Redb::open(&path).unwrap();
        drop(store.open("a").unwrap());
    }
}
