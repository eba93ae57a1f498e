//! A file that is open in this process, once.

use super::tables::{self, Origin};
use crate::store::error::StoreError;
use crate::store::frame::FORMAT;
use ::redb::{Builder, Database, Error};
use std::collections::HashSet;
use std::fmt;
use std::fs::{File, OpenOptions};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};

/// redb asks for 1 GiB by default; a log is read once and then written.
const CACHE: usize = 64 << 20;

/// The files that are open. redb refuses to open one twice, also within a process, where a server that was stopped and one
/// that is started may well overlap by a moment.
static OPEN: Mutex<Vec<(Identity, Weak<OpenFile>)>> = Mutex::new(Vec::new());
/// Told when a file has been closed.
static CLOSED: Condvar = Condvar::new();

/// The identity of a file. It is more than the path where the system offers more: a file that was deleted and created again is
/// another one, and the old one is not reachable by the path any more.
#[cfg(unix)]
type Identity = (u64, u64);
#[cfg(not(unix))]
type Identity = PathBuf;

pub(super) struct OpenFile {
    path: PathBuf,
    /// There until it is dropped.
    database: Option<Database>,
    owned: Mutex<HashSet<String>>,
    /// A write failed, so what this process remembers of the file may not be what is in it.
    failed: AtomicBool,
}

impl OpenFile {
    pub(super) fn open(path: &Path) -> Result<Arc<Self>, StoreError> {
        let cannot = |error: std::io::Error| StoreError::Open {
            path: path.to_owned(),
            source: error.into(),
        };
        // Created if it is missing, and not truncated, just as redb itself does a moment later.
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(cannot)?;
        let identity = identity(&file, path).map_err(cannot)?;
        let mut open = lock(&OPEN);
        loop {
            match open.iter().find(|(known, _)| *known == identity) {
                None => break,
                Some((_, file)) => match file.upgrade() {
                    Some(file) => return Ok(file),
                    // Its last handle is gone and it is being closed at this moment.
                    None => open = CLOSED.wait(open).unwrap_or_else(PoisonError::into_inner),
                },
            }
        }
        let database = caught(|| database(path)).map_err(|error| sorted(error, path))?;
        let database = ours(database, path)?;
        sync_folder(path);
        let file = Arc::new(Self {
            path: path.to_owned(),
            database: Some(database),
            owned: Mutex::default(),
            failed: AtomicBool::new(false),
        });
        open.push((identity, Arc::downgrade(&file)));
        Ok(file)
    }

    pub(super) fn place(&self) -> String {
        self.path.display().to_string()
    }

    /// Whether the entry had no owner.
    pub(super) fn own(&self, id: &str) -> bool {
        lock(&self.owned).insert(id.to_owned())
    }

    pub(super) fn disown(&self, id: &str) {
        lock(&self.owned).remove(id);
    }

    pub(super) fn failed(&self) -> bool {
        self.failed.load(Ordering::Acquire)
    }

    pub(super) fn read<T>(
        &self,
        work: impl FnOnce(&Database) -> Result<T, Error>,
    ) -> Result<T, Error> {
        match &self.database {
            Some(database) => caught(|| work(database)),
            None => Err(Error::DatabaseClosed),
        }
    }

    /// Like `read`, but an error is the end of the file in this process.
    pub(super) fn write(
        &self,
        work: impl FnOnce(&Database) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.read(work)
            .inspect_err(|_| self.failed.store(true, Ordering::Release))
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
        // It writes once more. What it cannot write, the next opening repairs.
        let _ = caught(|| {
            drop(database);
            Ok(())
        });
        lock(&OPEN).retain(|(_, file)| !std::ptr::eq(file.as_ptr(), self));
        CLOSED.notify_all();
    }
}

/// The whole file is verified: redb trusts a file that was closed in order, and its pages carry the checksums.
fn database(path: &Path) -> Result<Database, Error> {
    Ok(Builder::new()
        .set_cache_size(CACHE)
        .set_check_integrity_on_open(true)
        .create(path)?)
}

fn ours(database: Database, path: &Path) -> Result<Database, StoreError> {
    let place = path.display().to_string();
    match caught(|| tables::prepare(&database)).map_err(|error| sorted(error, path))? {
        Origin::Ours => Ok(database),
        Origin::Newer(found) => Err(StoreError::Format {
            place,
            found: u32::try_from(found).unwrap_or(u32::MAX),
            known: FORMAT.into(),
        }),
        Origin::Foreign => Err(StoreError::Corrupt {
            place,
            reason: "it is a redb file, but none of agents".to_owned(),
        }),
    }
}

/// redb panics on pages that have changed under an open file, which nothing verifies, and asserts more in debug builds.
fn caught<T>(work: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let message = panic
            .downcast_ref::<String>()
            .map(String::as_str)
            .or_else(|| panic.downcast_ref::<&str>().copied())
            .unwrap_or("no message");
        Err(Error::Corrupted(format!("redb panicked: {message}")))
    })
}

/// Why a file does not open.
fn sorted(error: Error, path: &Path) -> StoreError {
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
    use std::os::unix::fs::MetadataExt;
    let facts = file.metadata()?;
    Ok((facts.dev(), facts.ino()))
}

#[cfg(not(unix))]
fn identity(_: &File, path: &Path) -> std::io::Result<Identity> {
    path.canonicalize()
}

/// A file that was just made is lost with its folder's entry, whatever was synced in it. Not every file system can do it, and
/// those that cannot say so by an error.
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

// A set and a list that are whole at every moment at which somebody could panic.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_error_that_says_so() {
        let error = caught(|| -> Result<(), Error> { panic!("page {}", 7) }).unwrap_err();
        assert_eq!(error.to_string(), "DB corrupted: redb panicked: page 7");
    }
}
