//! Opens folders by path and checks each component before entering it. Between the check and the use, a link may replace the
//! component; only file descriptors can prevent this. On systems other than Unix, a folder is therefore not safe if other users
//! can write to it.

use super::{FolderError, FolderItem, HardLinks, ItemKind, check_file, check_hard_links, read};
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{Error, ErrorKind};
use std::path::{Path, PathBuf};

/// A folder, given by its canonical path.
#[derive(Debug)]
pub(crate) struct Folder(PathBuf);

impl Folder {
    /// Opens a source's folder, following links in the folder's own path.
    pub(crate) fn open(path: &Path) -> Result<Self, FolderError> {
        if fs::metadata(path).map_err(folder_error)?.is_dir() {
            Ok(Self(path.canonicalize()?))
        } else {
            Err(FolderError::NotAFolder)
        }
    }

    /// Returns a second handle to the folder.
    pub(super) fn try_clone(&self) -> Result<Self, FolderError> {
        Ok(Self(self.0.clone()))
    }

    /// Opens a folder in this folder.
    pub(crate) fn folder(&self, name: &OsStr) -> Result<Self, FolderError> {
        match self.kind(name)? {
            ItemKind::Folder => Ok(Self(self.0.join(name))),
            ItemKind::Link => Err(FolderError::Link),
            ItemKind::File | ItemKind::Other => Err(FolderError::NotAFolder),
        }
    }

    /// Reads a file in this folder.
    pub(crate) fn file(
        &self,
        name: &OsStr,
        max: usize,
        hard_links: HardLinks,
    ) -> Result<Vec<u8>, FolderError> {
        check_file(self.kind(name)?)?;
        let path = self.0.join(name);
        let found = fs::symlink_metadata(&path).map_err(folder_error)?;
        check_hard_links(&found, hard_links)?;
        let bytes = found.len();
        if bytes > max as u64 {
            return Err(FolderError::TooLarge { bytes, max });
        }
        read(File::open(path).map_err(folder_error)?, bytes, max)
    }

    /// Returns the items of the folder, sorted by name. Fails if the folder has more than `max` items.
    pub(crate) fn items(&self, max: usize) -> Result<Vec<FolderItem>, FolderError> {
        let mut items = Vec::new();
        for entry in fs::read_dir(&self.0).map_err(folder_error)? {
            let entry = entry?;
            if items.len() == max {
                return Err(FolderError::TooMany { max });
            }
            let kind = kind(entry.file_type()?);
            let name = entry.file_name();
            items.push(FolderItem { name, kind });
        }
        items.sort_unstable();
        Ok(items)
    }

    pub(super) fn kind(&self, name: &OsStr) -> Result<ItemKind, FolderError> {
        let found = fs::symlink_metadata(self.0.join(name)).map_err(folder_error)?;
        Ok(kind(found.file_type()))
    }
}

fn kind(file_type: fs::FileType) -> ItemKind {
    if file_type.is_symlink() {
        ItemKind::Link
    } else if file_type.is_dir() {
        ItemKind::Folder
    } else if file_type.is_file() {
        ItemKind::File
    } else {
        ItemKind::Other
    }
}

fn folder_error(error: Error) -> FolderError {
    match error.kind() {
        ErrorKind::NotFound => FolderError::Missing,
        ErrorKind::NotADirectory => FolderError::NotAFolder,
        _ => FolderError::Io(error),
    }
}
