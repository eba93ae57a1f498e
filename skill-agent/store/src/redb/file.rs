//! The files that are open in this process. Each file is opened only once.

use super::tables::{self, FileCreator};
use super::writer::Writer;
use crate::bytes::frame::FORMAT;
use crate::error::StoreError;
use ::redb::{Builder, Database, Error};
use std::collections::HashSet;
use std::fmt;
use std::fs::{File, OpenOptions};
#[cfg(unix)]
use std::io::ErrorKind;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};

/// The cache size in bytes. redb's default of 1 GiB is too large for a log, which is read once and then only written to.
const CACHE: usize = 64 << 20;

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
    writer: Writer,
    /// Set after a write has failed. The state that this process has cached may then differ from the file.
    failed: AtomicBool,
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
                    // the last handle is gone, and another thread is closing the file
                    None => open = CLOSED.wait(open).unwrap_or_else(PoisonError::into_inner),
                },
            }
        }
        restart_creation(&file).map_err(open_failed)?;
        let database = catch_panics(|| database(path)).map_err(|error| open_error(error, path))?;
        let database = checked(database, path)?;
        sync_folder(path);
        let writer = Writer::start().map_err(open_failed)?;
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

    pub(super) fn writer(&self) -> &Writer {
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

    /// Like `read`, but after an error, no more logs can be opened in this process.
    pub(super) fn write(
        &self,
        work: impl FnOnce(&Database) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.read(work)
            .and_then(|()| self.ensure_in_place())
            .inspect_err(|_| self.failed.store(true, Ordering::Release))
    }

    /// Returns an error if the path no longer leads to the file, because the next start would not find the data. This costs one
    /// `stat` per write: a few microseconds, which is little compared to an fsync.
    #[cfg(unix)]
    fn ensure_in_place(&self) -> Result<(), Error> {
        let (path, identity) = &self.origin;
        let is_in_place = match std::fs::metadata(path) {
            Ok(found) => identity_of(&found) == *identity,
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

/// The maximum size of a file that redb may leave behind when its creation is interrupted, in bytes.
const NEW_FILE_MAX: u64 = 4 << 20;
/// The length in bytes of the magic number at the start of a redb file. The header that contains it has the same length.
const MAGIC: usize = 9;
const HEADER: u64 = 512;

/// Empties a file whose creation was interrupted by a system crash or a full disk, so that the file is created anew.
///
/// Before its first commit, redb writes only the header, and it writes the magic number last. If a file has no magic number but
/// has data after the header, it is damaged or belongs to a different program, and is left unchanged.
fn restart_creation(file: &File) -> std::io::Result<()> {
    // another process may be creating the file right now
    if !is_unfinished(file).unwrap_or(false) || file.try_lock().is_err() {
        return Ok(());
    }
    let emptied = match is_unfinished(file) {
        Ok(true) => file.set_len(0),
        _ => Ok(()),
    };
    file.unlock().and(emptied)
}

/// Returns whether a file is not empty, does not start with the magic number, and has no data after the header.
fn is_unfinished(mut file: &File) -> std::io::Result<bool> {
    let length = file.metadata()?.len();
    if length == 0 || length > NEW_FILE_MAX {
        return Ok(false);
    }
    file.seek(SeekFrom::Start(0))?;
    let mut content = Vec::new();
    file.take(HEADER).read_to_end(&mut content)?;
    content.truncate(MAGIC);
    if content.iter().any(|byte| *byte != 0) {
        return Ok(false);
    }
    content.clear();
    file.read_to_end(&mut content)?;
    Ok(content.iter().all(|byte| *byte == 0))
}

/// Opens a database and verifies the whole file. By default, redb trusts a file that was closed properly, and does not verify the
/// checksums of its pages.
fn database(path: &Path) -> Result<Database, Error> {
    Ok(Builder::new()
        .set_cache_size(CACHE)
        .set_check_integrity_on_open(true)
        .create(path)?)
}

fn checked(database: Database, path: &Path) -> Result<Database, StoreError> {
    let place = path.display().to_string();
    match catch_panics(|| tables::prepare(&database)).map_err(|error| open_error(error, path))? {
        FileCreator::ThisCrate => Ok(database),
        FileCreator::NewerBuild(found) => Err(StoreError::Format {
            place,
            found: u32::try_from(found).unwrap_or(u32::MAX),
            known: FORMAT.into(),
        }),
        FileCreator::OtherProgram => Err(StoreError::Corrupt {
            place,
            reason: "it is a redb file, but another program created it".to_owned(),
        }),
    }
}

/// Catches panics in redb. It panics on pages that have changed while the file was open, because it does not verify those, and
/// has more assertions in debug builds.
fn catch_panics<T>(work: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
    skill_core::process::catch(work)
        .unwrap_or_else(|message| Err(Error::Corrupted(format!("redb panicked: {message}"))))
}

/// Converts an error from opening a file.
fn open_error(error: Error, path: &Path) -> StoreError {
    let path = path.to_owned();
    match error {
        Error::DatabaseAlreadyOpen | Error::LockProtocolMismatch => StoreError::InUse { path },
        Error::Corrupted(reason) => StoreError::Corrupt {
            place: path.display().to_string(),
            reason,
        },
        error => StoreError::Open {
            path,
            source: error.into(),
        },
    }
}

#[cfg(unix)]
fn identity(file: &File, _: &Path) -> std::io::Result<Identity> {
    file.metadata().map(|metadata| identity_of(&metadata))
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

/// Syncs the folder. Otherwise, a new file can be lost together with its directory entry even if its contents were synced. Errors
/// are ignored, because not all file systems support this.
#[cfg(unix)]
fn sync_folder(path: &Path) {
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
}

#[cfg(not(unix))]
fn sync_folder(_: &Path) {}

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

    #[test]
    fn a_panic_becomes_an_error_with_its_message() {
        let error = catch_panics(|| -> Result<(), Error> { panic!("page {}", 7) }).unwrap_err();
        assert_eq!(error.to_string(), "DB corrupted: redb panicked: page 7");
    }
}
