//! What is read of a document when it is asked for: its body, and the files that it brings.

use super::Entry;
use super::found::At;
use super::settings::{Root, Settings};
use crate::manifest::folder::{Folder, Kind, Refused};
use crate::manifest::resource_path::parts;
use crate::manifest::{ContentHash, Limits, ReadError, SkillDoc, check_bytes};
use std::ffi::OsStr;
use std::path::Path;

/// An entry whose document is a file.
struct Filed<'a> {
    id: &'a str,
    root: &'a Root,
    top: &'a Path,
    folder: &'a Path,
    name: &'a str,
}

impl<'a> Filed<'a> {
    /// `None` for an embedded one.
    fn of(settings: &'a Settings, entry: &'a Entry) -> Option<Self> {
        let root = &settings.roots[entry.root];
        match &entry.at {
            At::Embedded(_) => None,
            At::File { folder, name } => Some(Self {
                id: &entry.id,
                root,
                top: root.path()?,
                folder,
                name,
            }),
        }
    }

    fn limits(&self) -> &Limits {
        &self.root.dialect.limits
    }

    fn open(&self) -> Result<Folder, Refused> {
        Folder::open(self.top)?.below(self.folder)
    }

    fn shown(&self, path: impl AsRef<Path>) -> String {
        self.top.join(self.folder).join(path).display().to_string()
    }

    /// Why a file or folder is not read.
    fn refused(&self, path: impl AsRef<Path>, why: Refused) -> ReadError {
        let id = self.id.to_owned();
        let path = self.shown(path);
        match why {
            Refused::Io(source) => ReadError::Io { id, path, source },
            other => ReadError::Refused {
                id,
                path,
                why: other.to_string(),
            },
        }
    }

    fn changed(&self) -> ReadError {
        ReadError::Changed {
            id: self.id.to_owned(),
            path: self.shown(self.name),
        }
    }
}

pub(super) fn document(settings: &Settings, entry: &Entry) -> Result<SkillDoc, ReadError> {
    let file = match &entry.at {
        At::Embedded(doc) => return Ok((*doc).clone()),
        At::File { .. } => Filed::of(settings, entry),
    };
    let Some(file) = file else {
        return Err(ReadError::Unknown {
            id: entry.id.to_string(),
        });
    };
    let read = file
        .open()
        .and_then(|folder| folder.file(OsStr::new(file.name), file.limits().file));
    let bytes = match read {
        Ok(bytes) => bytes,
        // it was there, of an allowed size, and no link
        Err(Refused::Io(source)) => return Err(file.refused(file.name, Refused::Io(source))),
        Err(_) => return Err(file.changed()),
    };
    if ContentHash::of(&bytes) != entry.hash {
        return Err(file.changed());
    }
    // the same bytes gave a document before
    let report = check_bytes(&file.shown(file.name), &bytes, &file.root.dialect);
    report.into_doc().map_err(|_| file.changed())
}

pub(super) fn resources(settings: &Settings, entry: &Entry) -> Result<Vec<String>, ReadError> {
    let Some(file) = Filed::of(settings, entry) else {
        return Ok(Vec::new());
    };
    let limits = file.limits();
    let top = file.open().map_err(|why| file.refused("", why))?;
    let mut left = limits.resources;
    let mut files = Vec::new();
    let mut level = vec![String::new()];
    for _ in 0..=limits.resource_depth {
        let mut next = Vec::new();
        for place in level {
            let items = top
                .below(Path::new(&place))
                .and_then(|folder| folder.items(left));
            let items = items.map_err(|why| match why {
                Refused::TooMany { .. } => {
                    let most = limits.resources;
                    file.refused("", Refused::TooMany { most })
                }
                other => file.refused(&place, other),
            })?;
            left -= items.len();
            for item in items {
                // what is no text cannot be asked for
                let Some(name) = item.name.to_str().filter(|it| is_shown(it)) else {
                    continue;
                };
                let path = match place.as_str() {
                    "" => name.to_owned(),
                    place => format!("{place}/{name}"),
                };
                match item.kind {
                    Kind::File => files.push(path),
                    Kind::Folder => next.push(path),
                    Kind::Link | Kind::Other => {}
                }
            }
        }
        level = next;
    }
    files.retain(|path| parts(path, file.name, limits.resource_depth).is_ok());
    files.sort();
    Ok(files)
}

fn is_shown(name: &str) -> bool {
    !name.starts_with('.') && name != "node_modules" && !name.chars().any(char::is_control)
}

pub(super) fn resource(
    settings: &Settings,
    entry: &Entry,
    path: &str,
) -> Result<Vec<u8>, ReadError> {
    let id = || entry.id.to_string();
    let file = Filed::of(settings, entry);
    let (document, limits) = match &file {
        Some(file) => (file.name, file.limits()),
        None => ("", &Limits::DEFAULT),
    };
    let parts =
        parts(path, document, limits.resource_depth).map_err(|problem| ReadError::Path {
            id: id(),
            path: path.to_owned(),
            problem,
        })?;
    let none = || ReadError::NoResource {
        id: id(),
        path: path.to_owned(),
    };
    let (Some(file), Some((name, folders))) = (&file, parts.split_last()) else {
        return Err(none());
    };
    let read = || {
        let mut folder = file.open()?;
        for part in folders {
            folder = folder.folder(OsStr::new(part))?;
        }
        folder.file(OsStr::new(name), limits.resource)
    };
    read().map_err(|why| match why {
        Refused::Missing => none(),
        other => file.refused(path, other),
    })
}
