//! Opens folders by file descriptor. The descriptor still refers to the checked folder if the path changes after the check.

use super::{FolderError, FolderItem, HardLinks, ItemKind, check_file, check_hard_links, read};
use rustix::fd::{AsFd, OwnedFd};
use rustix::fs::{self, AtFlags, Dir, FileType, Mode, OFlags};
use rustix::io::Errno;
use std::ffi::OsStr;
use std::fs::File;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// A folder, held open by its file descriptor.
#[derive(Debug)]
pub(crate) struct Folder(OwnedFd);

const FOLDER: OFlags = OFlags::RDONLY
    .union(OFlags::DIRECTORY)
    .union(OFlags::CLOEXEC);

impl Folder {
    /// Opens a source's folder, following links in the folder's own path.
    pub(crate) fn open(path: &Path) -> Result<Self, FolderError> {
        let fd = fs::open(path, FOLDER, Mode::empty()).map_err(folder_error)?;
        Ok(Self(fd))
    }

    /// Returns a second handle to the folder.
    pub(super) fn try_clone(&self) -> Result<Self, FolderError> {
        let fd = self.0.as_fd().try_clone_to_owned()?;
        Ok(Self(fd))
    }

    /// Opens a folder in this folder.
    pub(crate) fn folder(&self, name: &OsStr) -> Result<Self, FolderError> {
        match self.kind(name)? {
            ItemKind::Folder => {}
            ItemKind::Link => return Err(FolderError::Link),
            ItemKind::File | ItemKind::Other => return Err(FolderError::NotAFolder),
        }
        let flags = FOLDER | OFlags::NOFOLLOW;
        let fd = fs::openat(&self.0, name, flags, Mode::empty()).map_err(folder_error)?;
        Ok(Self(fd))
    }

    /// Reads a file in this folder.
    pub(crate) fn file(
        &self,
        name: &OsStr,
        max: usize,
        hard_links: HardLinks,
    ) -> Result<Vec<u8>, FolderError> {
        check_file(self.kind(name)?)?;
        // without NONBLOCK, a pipe that has just replaced the file would block the thread
        let flags =
            OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY;
        let fd = fs::openat(&self.0, name, flags, Mode::empty()).map_err(folder_error)?;
        let file = File::from(fd);
        let found = file.metadata()?;
        if !found.is_file() {
            return Err(FolderError::NotAFile);
        }
        check_hard_links(&found, hard_links)?;
        read(file, found.len(), max)
    }

    /// Returns the items of the folder, sorted by name. Fails if the folder has more than `max` items.
    pub(crate) fn items(&self, max: usize) -> Result<Vec<FolderItem>, FolderError> {
        let mut items = Vec::new();
        for entry in Dir::read_from(&self.0).map_err(folder_error)? {
            let entry = entry.map_err(folder_error)?;
            let name = entry.file_name().to_bytes();
            if matches!(name, b"." | b"..") {
                continue;
            }
            if items.len() == max {
                return Err(FolderError::TooMany { max });
            }
            let name = OsStr::from_bytes(name).to_owned();
            let kind = match entry.file_type() {
                // not every file system reports the type
                FileType::Unknown => match self.kind(&name) {
                    Ok(kind) => kind,
                    Err(FolderError::Missing) => continue,
                    Err(error) => return Err(error),
                },
                known => kind(known),
            };
            items.push(FolderItem { name, kind });
        }
        items.sort_unstable();
        Ok(items)
    }

    pub(super) fn kind(&self, name: &OsStr) -> Result<ItemKind, FolderError> {
        let stat = fs::statat(&self.0, name, AtFlags::SYMLINK_NOFOLLOW).map_err(folder_error)?;
        Ok(kind(FileType::from_raw_mode(stat.st_mode)))
    }
}

fn kind(file_type: FileType) -> ItemKind {
    match file_type {
        FileType::RegularFile => ItemKind::File,
        FileType::Directory => ItemKind::Folder,
        FileType::Symlink => ItemKind::Link,
        _ => ItemKind::Other,
    }
}

fn folder_error(error: Errno) -> FolderError {
    match error {
        Errno::NOENT => FolderError::Missing,
        Errno::NOTDIR => FolderError::NotAFolder,
        // because of NOFOLLOW, this error means that a link has just replaced the folder
        Errno::LOOP => FolderError::Link,
        other => FolderError::Io(other.into()),
    }
}
