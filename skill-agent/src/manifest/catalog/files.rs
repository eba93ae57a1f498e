//! Reads what is requested of a document: its body, and its bundled files.

use super::CatalogEntry;
use super::brought::{brought, read};
use super::found::At;
use super::settings::{Root, Settings};
use crate::manifest::folder::{Folder, Refused};
use crate::manifest::resource_path::parts;
use crate::manifest::{ContentHash, DocumentLimits, DocumentReadError, SkillDoc, check_bytes};
use std::ffi::OsStr;
use std::path::Path;

/// A catalog entry whose document is a file.
struct Filed<'a> {
    id: &'a str,
    root: &'a Root,
    top: &'a Path,
    folder: &'a Path,
    name: &'a str,
}

impl<'a> Filed<'a> {
    /// Returns `None` for an embedded document.
    fn of(settings: &'a Settings, entry: &'a CatalogEntry) -> Option<Self> {
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

    fn limits(&self) -> &DocumentLimits {
        &self.root.dialect.limits
    }

    fn open(&self) -> Result<Folder, Refused> {
        Folder::open(self.top)?.below(self.folder)
    }

    fn shown(&self, path: impl AsRef<Path>) -> String {
        let (folder, path) = (self.top.join(self.folder), path.as_ref());
        // joining an empty path would append a `/`
        let whole = if path.as_os_str().is_empty() {
            folder
        } else {
            folder.join(path)
        };
        whole.display().to_string()
    }

    /// The error for a file or folder that cannot be read.
    fn refused(&self, path: impl AsRef<Path>, why: Refused) -> DocumentReadError {
        let id = self.id.to_owned();
        let path = self.shown(path);
        match why {
            Refused::Io(source) => DocumentReadError::Io { id, path, source },
            other => DocumentReadError::Refused {
                id,
                path,
                why: other.to_string(),
            },
        }
    }

    fn changed(&self, path: impl AsRef<Path>) -> DocumentReadError {
        DocumentReadError::Changed {
            id: self.id.to_owned(),
            path: self.shown(path),
        }
    }

    /// Returns the contents of a file, if its hash is unchanged since the catalog was loaded.
    fn unchanged(
        &self,
        path: &str,
        read: Result<Vec<u8>, Refused>,
        hash: ContentHash,
    ) -> Result<Vec<u8>, DocumentReadError> {
        match read {
            Ok(bytes) if ContentHash::of(&bytes) == hash => Ok(bytes),
            Err(Refused::Io(source)) => Err(self.refused(path, Refused::Io(source))),
            // it existed, had an allowed size and was not a link
            Ok(_) | Err(_) => Err(self.changed(path)),
        }
    }
}

pub(super) fn document(
    settings: &Settings,
    entry: &CatalogEntry,
) -> Result<SkillDoc, DocumentReadError> {
    let file = match &entry.at {
        At::Embedded(doc) => return Ok((*doc).clone()),
        At::File { .. } => Filed::of(settings, entry),
    };
    let Some(file) = file else {
        return Err(DocumentReadError::Unknown {
            id: entry.id.to_string(),
        });
    };
    let read = file
        .open()
        .and_then(|folder| folder.file(OsStr::new(file.name), file.limits().file));
    let bytes = file.unchanged(file.name, read, entry.content.document)?;
    // the same bytes parsed before
    let report = check_bytes(&file.shown(file.name), &bytes, &file.root.dialect);
    report.into_doc().map_err(|_| file.changed(file.name))
}

pub(super) fn resources(
    settings: &Settings,
    entry: &CatalogEntry,
) -> Result<Vec<String>, DocumentReadError> {
    let Some(file) = Filed::of(settings, entry) else {
        return Ok(Vec::new());
    };
    let top = file.open().map_err(|why| file.refused("", why))?;
    let brought = brought(&top, file.name, file.limits());
    let files = match (brought, entry.content.files()) {
        (Ok(found), None) => found.files,
        (Ok(found), Some(seen)) if found.files.iter().eq(seen.iter().map(|it| &it.path)) => {
            found.files
        }
        (Ok(_), Some(_)) => return Err(file.changed("")),
        (Err((path, why)), _) => return Err(file.refused(path, why)),
    };
    Ok(files)
}

pub(super) fn resource(
    settings: &Settings,
    entry: &CatalogEntry,
    path: &str,
) -> Result<Vec<u8>, DocumentReadError> {
    let id = || entry.id.to_string();
    let file = Filed::of(settings, entry);
    let (document, limits) = match &file {
        Some(file) => (file.name, file.limits()),
        None => ("", &DocumentLimits::DEFAULT),
    };
    let parts = parts(path, document, limits.resource_depth).map_err(|problem| {
        DocumentReadError::Path {
            id: id(),
            path: path.to_owned(),
            problem,
        }
    })?;
    let none = || DocumentReadError::NoResource {
        id: id(),
        path: path.to_owned(),
    };
    let Some(file) = &file else {
        return Err(none());
    };
    let read = || read(&file.open()?, &parts, limits.resource);
    let Some(seen) = entry.content.files() else {
        return read().map_err(|why| match why {
            Refused::Missing => none(),
            other => file.refused(path, other),
        });
    };
    // a file added later was not part of what a person trusted
    let at = seen.binary_search_by(|it| it.path.as_str().cmp(path));
    let seen = &seen[at.map_err(|_| none())?];
    file.unchanged(path, read(), seen.hash)
}
