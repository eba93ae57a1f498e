//! Opens folders by path, checking each component before it is entered. A link may replace the component between check and use;
//! that cannot be prevented without file descriptors, so a folder that others can write to is not safe here.

use super::{Item, Kind, Refused, read};
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{Error, ErrorKind};
use std::path::{Path, PathBuf};

/// A folder.
#[derive(Debug)]
pub(crate) struct Folder(PathBuf);

impl Folder {
    /// Opens a folder that the program names; links in its own path are followed.
    pub(crate) fn open(path: &Path) -> Result<Self, Refused> {
        if fs::metadata(path).map_err(refused)?.is_dir() {
            Ok(Self(path.canonicalize()?))
        } else {
            Err(Refused::NoFolder)
        }
    }

    /// Returns another handle to the folder.
    pub(super) fn again(&self) -> Result<Self, Refused> {
        Ok(Self(self.0.clone()))
    }

    /// Opens a folder in this folder.
    pub(crate) fn folder(&self, name: &OsStr) -> Result<Self, Refused> {
        match self.kind(name)? {
            Kind::Folder => Ok(Self(self.0.join(name))),
            Kind::Link => Err(Refused::Link),
            Kind::File | Kind::Other => Err(Refused::NoFolder),
        }
    }

    /// Reads a file in this folder.
    pub(crate) fn file(&self, name: &OsStr, most: usize) -> Result<Vec<u8>, Refused> {
        match self.kind(name)? {
            Kind::File => {}
            Kind::Link => return Err(Refused::Link),
            Kind::Folder | Kind::Other => return Err(Refused::NoFile),
        }
        let path = self.0.join(name);
        let bytes = fs::symlink_metadata(&path).map_err(refused)?.len();
        if bytes > most as u64 {
            return Err(Refused::TooLarge { bytes, most });
        }
        read(File::open(path).map_err(refused)?, bytes, most)
    }

    /// Returns the items of the folder, sorted by name.
    pub(crate) fn items(&self, most: usize) -> Result<Vec<Item>, Refused> {
        let mut items = Vec::new();
        for entry in fs::read_dir(&self.0).map_err(refused)? {
            let entry = entry?;
            if items.len() == most {
                return Err(Refused::TooMany { most });
            }
            let kind = kind(entry.file_type()?);
            let name = entry.file_name();
            items.push(Item { name, kind });
        }
        items.sort_unstable();
        Ok(items)
    }

    fn kind(&self, name: &OsStr) -> Result<Kind, Refused> {
        let found = fs::symlink_metadata(self.0.join(name)).map_err(refused)?;
        Ok(kind(found.file_type()))
    }
}

fn kind(file_type: fs::FileType) -> Kind {
    if file_type.is_symlink() {
        Kind::Link
    } else if file_type.is_dir() {
        Kind::Folder
    } else if file_type.is_file() {
        Kind::File
    } else {
        Kind::Other
    }
}

fn refused(error: Error) -> Refused {
    match error.kind() {
        ErrorKind::NotFound => Refused::Missing,
        ErrorKind::NotADirectory => Refused::NoFolder,
        _ => Refused::Io(error),
    }
}
