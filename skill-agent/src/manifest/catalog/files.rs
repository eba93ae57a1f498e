//! Reads what is requested of a document: its body, and its bundled files.

use super::CatalogEntry;
use super::bundled_files::{list_bundled_files, read};
use super::candidate::Location;
use super::settings::{CatalogSettings, SourceRoot};
use crate::manifest::folder::{Folder, FolderError};
use crate::manifest::resource_path::parts;
use crate::manifest::{ContentHash, DocumentLimits, DocumentReadError, SkillDoc, check_bytes};
use std::ffi::OsStr;
use std::path::Path;

/// A catalog entry whose document is a file.
struct FileEntry<'a> {
    id: &'a str,
    root: &'a SourceRoot,
    top: &'a Path,
    folder: &'a Path,
    name: &'a str,
}

impl<'a> FileEntry<'a> {
    /// Returns `None` for an embedded document.
    fn of(settings: &'a CatalogSettings, entry: &'a CatalogEntry) -> Option<Self> {
        let root = &settings.roots[entry.root];
        match &entry.at {
            Location::Embedded(_) => None,
            Location::File { folder, name } => Some(Self {
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

    fn open(&self) -> Result<Folder, FolderError> {
        Folder::open(self.top)?.below(self.folder)
    }

    fn display_path(&self, path: impl AsRef<Path>) -> String {
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
    fn read_error(&self, path: impl AsRef<Path>, why: FolderError) -> DocumentReadError {
        let id = self.id.to_owned();
        let path = self.display_path(path);
        match why {
            FolderError::Io(source) => DocumentReadError::Io { id, path, source },
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
            path: self.display_path(path),
        }
    }

    /// Returns the contents of a file, if its hash is unchanged since the catalog was loaded.
    fn unchanged(
        &self,
        path: &str,
        read: Result<Vec<u8>, FolderError>,
        hash: ContentHash,
    ) -> Result<Vec<u8>, DocumentReadError> {
        match read {
            Ok(bytes) if ContentHash::of(&bytes) == hash => Ok(bytes),
            Err(FolderError::Io(source)) => Err(self.read_error(path, FolderError::Io(source))),
            // it existed, had an allowed size and was not a link
            Ok(_) | Err(_) => Err(self.changed(path)),
        }
    }
}

pub(super) fn document(
    settings: &CatalogSettings,
    entry: &CatalogEntry,
) -> Result<SkillDoc, DocumentReadError> {
    let file = match &entry.at {
        Location::Embedded(doc) => return Ok((*doc).clone()),
        Location::File { .. } => FileEntry::of(settings, entry),
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
    let report = check_bytes(&file.display_path(file.name), &bytes, &file.root.dialect);
    report.into_doc().map_err(|_| file.changed(file.name))
}

pub(super) fn resources(
    settings: &CatalogSettings,
    entry: &CatalogEntry,
) -> Result<Vec<String>, DocumentReadError> {
    let Some(file) = FileEntry::of(settings, entry) else {
        return Ok(Vec::new());
    };
    let top = file.open().map_err(|why| file.read_error("", why))?;
    let listed = list_bundled_files(&top, file.name, file.limits());
    let files = match (listed, entry.content.files()) {
        (Ok(found), None) => found.files,
        (Ok(found), Some(hashed))
            if found.files.iter().eq(hashed.iter().map(|file| &file.path)) =>
        {
            found.files
        }
        (Ok(_), Some(_)) => return Err(file.changed("")),
        (Err((path, why)), _) => return Err(file.read_error(path, why)),
    };
    Ok(files)
}

pub(super) fn resource(
    settings: &CatalogSettings,
    entry: &CatalogEntry,
    path: &str,
) -> Result<Vec<u8>, DocumentReadError> {
    let id = || entry.id.to_string();
    let file = FileEntry::of(settings, entry);
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
    let Some(hashed) = entry.content.files() else {
        return read().map_err(|why| match why {
            FolderError::Missing => none(),
            other => file.read_error(path, other),
        });
    };
    // a file added later was not part of what a person trusted
    let at = hashed.binary_search_by(|file| file.path.as_str().cmp(path));
    let hashed = &hashed[at.map_err(|_| none())?];
    file.unchanged(path, read(), hashed.hash)
}
