//! Opens folders by file descriptor: what was checked is what is opened, even if the path changes in the meantime.

use super::{Item, Kind, Refused, read};
use rustix::fd::{AsFd, OwnedFd};
use rustix::fs::{self, AtFlags, Dir, FileType, Mode, OFlags};
use rustix::io::Errno;
use std::ffi::OsStr;
use std::fs::File;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// An open folder.
#[derive(Debug)]
pub(crate) struct Folder(OwnedFd);

const FOLDER: OFlags = OFlags::RDONLY
    .union(OFlags::DIRECTORY)
    .union(OFlags::CLOEXEC);

impl Folder {
    /// Opens a folder that the program names; links in its own path are followed.
    pub(crate) fn open(path: &Path) -> Result<Self, Refused> {
        let fd = fs::open(path, FOLDER, Mode::empty()).map_err(refused)?;
        Ok(Self(fd))
    }

    /// Returns another handle to the folder.
    pub(super) fn again(&self) -> Result<Self, Refused> {
        let fd = self.0.as_fd().try_clone_to_owned()?;
        Ok(Self(fd))
    }

    /// Opens a folder in this folder.
    pub(crate) fn folder(&self, name: &OsStr) -> Result<Self, Refused> {
        match self.kind(name)? {
            Kind::Folder => {}
            Kind::Link => return Err(Refused::Link),
            Kind::File | Kind::Other => return Err(Refused::NoFolder),
        }
        let flags = FOLDER | OFlags::NOFOLLOW;
        let fd = fs::openat(&self.0, name, flags, Mode::empty()).map_err(refused)?;
        Ok(Self(fd))
    }

    /// Reads a file in this folder.
    pub(crate) fn file(&self, name: &OsStr, most: usize) -> Result<Vec<u8>, Refused> {
        match self.kind(name)? {
            Kind::File => {}
            Kind::Link => return Err(Refused::Link),
            Kind::Folder | Kind::Other => return Err(Refused::NoFile),
        }
        // a pipe that replaced the file in the meantime would block without NONBLOCK
        let flags =
            OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY;
        let fd = fs::openat(&self.0, name, flags, Mode::empty()).map_err(refused)?;
        let file = File::from(fd);
        let found = file.metadata()?;
        if found.is_file() {
            read(file, found.len(), most)
        } else {
            Err(Refused::NoFile)
        }
    }

    /// Returns the items of the folder, sorted by name.
    pub(crate) fn items(&self, most: usize) -> Result<Vec<Item>, Refused> {
        let mut items = Vec::new();
        for entry in Dir::read_from(&self.0).map_err(refused)? {
            let entry = entry.map_err(refused)?;
            let name = entry.file_name().to_bytes();
            if matches!(name, b"." | b"..") {
                continue;
            }
            if items.len() == most {
                return Err(Refused::TooMany { most });
            }
            let name = OsStr::from_bytes(name).to_owned();
            let kind = match entry.file_type() {
                // not every file system reports it
                FileType::Unknown => match self.kind(&name) {
                    Ok(kind) => kind,
                    Err(Refused::Missing) => continue,
                    Err(error) => return Err(error),
                },
                known => kind(known),
            };
            items.push(Item { name, kind });
        }
        items.sort_unstable();
        Ok(items)
    }

    fn kind(&self, name: &OsStr) -> Result<Kind, Refused> {
        let stat = fs::statat(&self.0, name, AtFlags::SYMLINK_NOFOLLOW).map_err(refused)?;
        Ok(kind(FileType::from_raw_mode(stat.st_mode)))
    }
}

fn kind(file_type: FileType) -> Kind {
    match file_type {
        FileType::RegularFile => Kind::File,
        FileType::Directory => Kind::Folder,
        FileType::Symlink => Kind::Link,
        _ => Kind::Other,
    }
}

fn refused(error: Errno) -> Refused {
    match error {
        Errno::NOENT => Refused::Missing,
        Errno::NOTDIR => Refused::NoFolder,
        // NOFOLLOW reports a link that has just replaced the folder
        Errno::LOOP => Refused::Link,
        other => Refused::Io(other.into()),
    }
}
