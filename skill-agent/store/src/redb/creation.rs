//! Creates files, opens existing ones, and checks who created them.

use super::tables::{self, FileCreator};
use crate::bytes::frame::FORMAT;
use crate::error::StoreError;
use ::redb::{Builder, Database, Error};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

/// The cache size in bytes. redb's default of 1 GiB is too large for a log, which is read once and then only written to.
const CACHE: usize = 64 << 20;

/// The maximum size of a file that redb may leave behind when its creation is interrupted, in bytes.
const NEW_FILE_MAX: u64 = 4 << 20;
/// The length in bytes of the magic number at the start of a redb file. The header that contains it has the same length.
const MAGIC: usize = 9;
const HEADER: u64 = 512;

/// Empties a file whose creation was interrupted by a system crash or a full disk, so that the file is created anew.
///
/// Before its first commit, redb writes only the header, and it writes the magic number last. If a file has no magic number but
/// has data after the header, it is damaged or belongs to a different program, and is left unchanged.
pub(super) fn restart_creation(file: &File) -> std::io::Result<()> {
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
pub(super) fn database(path: &Path) -> Result<Database, Error> {
    Ok(Builder::new()
        .set_cache_size(CACHE)
        .set_check_integrity_on_open(true)
        .create(path)?)
}

pub(super) fn checked(database: Database, path: &Path) -> Result<Database, StoreError> {
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
pub(super) fn catch_panics<T>(work: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
    skill_core::process::catch(work)
        .unwrap_or_else(|message| Err(Error::Corrupted(format!("redb panicked: {message}"))))
}

/// Converts an error from opening a file.
pub(super) fn open_error(error: Error, path: &Path) -> StoreError {
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

/// Syncs the folder, because a new file can be lost together with its directory entry even if its contents were synced. Errors
/// are ignored, because not all file systems support this.
#[cfg(unix)]
pub(super) fn sync_folder(path: &Path) {
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
}

#[cfg(not(unix))]
pub(super) fn sync_folder(_: &Path) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_an_error_with_its_message() {
        let error = catch_panics(|| -> Result<(), Error> { panic!("page {}", 7) }).unwrap_err();
        assert_eq!(error.to_string(), "DB corrupted: redb panicked: page 7");
    }
}
