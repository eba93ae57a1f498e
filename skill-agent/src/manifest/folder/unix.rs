//! By file descriptors: what was looked at is what is opened, whatever happens to the path meanwhile.

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
    /// A folder that the program names; links on the way to it are the program's.
    pub(crate) fn open(path: &Path) -> Result<Self, Refused> {
        let fd = fs::open(path, FOLDER, Mode::empty()).map_err(refused)?;
        Ok(Self(fd))
    }

    /// Itself, once more.
    pub(super) fn again(&self) -> Result<Self, Refused> {
        let fd = self.0.as_fd().try_clone_to_owned()?;
        Ok(Self(fd))
    }

    /// A folder in it.
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

    /// What a file in it holds.
    pub(crate) fn file(&self, name: &OsStr, most: usize) -> Result<Vec<u8>, Refused> {
        match self.kind(name)? {
            Kind::File => {}
            Kind::Link => return Err(Refused::Link),
            Kind::Folder | Kind::Other => return Err(Refused::NoFile),
        }
        // a pipe that has come in place of the file would block without NONBLOCK
        let flags =
            OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY;
        let fd = fs::openat(&self.0, name, flags, Mode::empty()).map_err(refused)?;
        let file = File::from(fd);
        let found = file.metadata()?;
        match found.is_file() {
            true => read(file, found.len(), most),
            false => Err(Refused::NoFile),
        }
    }

    /// What stands in it, by name.
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
                // not every file system says it
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
        // what NOFOLLOW says of a link that has just come
        Errno::LOOP => Refused::Link,
        other => Refused::Io(other.into()),
    }
}
