//! Reads a document's body and bundled files on request.

use super::CatalogEntry;
use super::bundled_files::{FileScope, is_served, list_bundled_files, read};
use super::settings::{CatalogSettings, SourceRoot};
use crate::catalog::load::candidate::Location;
use crate::catalog::load::content_hashes::FileHash;
use crate::folder::{Folder, FolderError};
use crate::resource_path::parts;
use crate::{
    ContentHash, Diagnostic, DocumentLimits, DocumentReadError, Severity, SkillDoc, check_bytes,
};
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
    /// Returns the file of an entry, or `None` for an embedded document.
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
        Folder::open(self.top)?.below_or_linked(self.folder)
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

    /// Creates the error for an unreadable file or folder.
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

    fn invalid(&self, why: String) -> DocumentReadError {
        DocumentReadError::Invalid {
            id: self.id.to_owned(),
            path: self.display_path(self.name),
            why,
        }
    }

    /// Returns the file's contents if their hash is still the same as at load time.
    fn unchanged(
        &self,
        path: &str,
        read: Result<Vec<u8>, FolderError>,
        hash: ContentHash,
    ) -> Result<Vec<u8>, DocumentReadError> {
        match read {
            Ok(bytes) if ContentHash::of(&bytes) == hash => Ok(bytes),
            Err(FolderError::Io(source)) => Err(self.read_error(path, FolderError::Io(source))),
            // at load time, the file existed, was small enough and was not a link
            Ok(_) | Err(_) => Err(self.changed(path)),
        }
    }
}

/// Reads a document. In a discovered source, it must not have changed since the load, because a person trusted that content. In
/// other sources, reads the current file, which must be valid and have the same id.
pub(super) fn document(
    settings: &CatalogSettings,
    entry: &CatalogEntry,
) -> Result<SkillDoc, DocumentReadError> {
    match &entry.at {
        Location::Embedded(doc) => Ok((*doc).clone()),
        Location::File { .. } => Ok(checked_file(settings, entry)?.0),
    }
}

/// Reads a document like [`document`], together with its file. An embedded document has no file.
pub(crate) fn document_and_file(
    settings: &CatalogSettings,
    entry: &CatalogEntry,
) -> Result<(SkillDoc, Option<Vec<u8>>), DocumentReadError> {
    match &entry.at {
        Location::Embedded(doc) => Ok(((*doc).clone(), None)),
        Location::File { .. } => {
            let (doc, bytes) = checked_file(settings, entry)?;
            Ok((doc, Some(bytes)))
        }
    }
}

fn checked_file(
    settings: &CatalogSettings,
    entry: &CatalogEntry,
) -> Result<(SkillDoc, Vec<u8>), DocumentReadError> {
    let Some(file) = FileEntry::of(settings, entry) else {
        return Err(DocumentReadError::Unknown {
            id: entry.id.to_string(),
            nearest: None,
        });
    };
    let (max, hard_links) = (file.limits().file, file.root.hard_links());
    let read = file
        .open()
        .and_then(|folder| folder.file(OsStr::new(file.name), max, hard_links));
    if matches!(read, Err(FolderError::Missing)) {
        return Err(DocumentReadError::Removed {
            id: entry.id.to_string(),
            path: file.display_path(file.name),
        });
    }
    let bytes = if file.root.discovered {
        file.unchanged(file.name, read, entry.content.document)?
    } else {
        read.map_err(|why| file.read_error(file.name, why))?
    };
    let report = check_bytes(&file.display_path(file.name), &bytes, &file.root.dialect);
    let doc = report
        .into_doc()
        .map_err(|found| file.invalid(first_error(&found)))?;
    if doc.id != entry.id {
        return Err(file.invalid(format!("its id is now `{}`", doc.id)));
    }
    Ok((doc, bytes))
}

/// Describes the first error of a document.
fn first_error(found: &[Diagnostic]) -> String {
    let mut errors = found
        .iter()
        .filter(|found| found.severity == Severity::Error);
    let Some(error) = errors.next() else {
        return String::new();
    };
    match error.line {
        Some(line) => format!("{}, in line {line}", error.message),
        None => error.message.clone(),
    }
}

/// The reader of a document's files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Audience {
    /// A program or a model. It sees only served files.
    Program,
    /// A person who decides on trust. A reviewer sees every file that the hash covers.
    Reviewer,
}

pub(super) fn resources(
    settings: &CatalogSettings,
    entry: &CatalogEntry,
    audience: Audience,
) -> Result<Vec<String>, DocumentReadError> {
    let Some(file) = FileEntry::of(settings, entry) else {
        return Ok(Vec::new());
    };
    let top = file.open().map_err(|why| file.read_error("", why))?;
    let list = |scope| {
        list_bundled_files(&top, file.name, file.limits(), scope)
            .map_err(|(path, why)| file.read_error(path, why))
    };
    let Some(hashed) = entry.content.files() else {
        return list(FileScope::Served);
    };
    let mut files = list(FileScope::All)?;
    if !files.iter().eq(hashed.iter().map(|file| &file.path)) {
        return Err(file.changed(""));
    }
    if audience == Audience::Program {
        files.retain(|path| is_served(path, file.name, file.limits()));
    }
    Ok(files)
}

pub(super) fn resource(
    settings: &CatalogSettings,
    entry: &CatalogEntry,
    path: &str,
    audience: Audience,
) -> Result<Vec<u8>, DocumentReadError> {
    let id = || entry.id.to_string();
    let file = FileEntry::of(settings, entry);
    let (document, limits) = match &file {
        Some(file) => (file.name, file.limits()),
        None => ("", &DocumentLimits::DEFAULT),
    };
    let hashed = entry.content.files();
    let covered = hashed.and_then(|files| find(files, path));
    let parts = if audience == Audience::Reviewer && covered.is_some() {
        path.split('/').collect()
    } else {
        parts(path, document, limits.resource_depth).map_err(|problem| DocumentReadError::Path {
            id: id(),
            path: path.to_owned(),
            problem,
        })?
    };
    let none = || DocumentReadError::NoResource {
        id: id(),
        path: path.to_owned(),
    };
    let Some(file) = &file else {
        return Err(none());
    };
    let read = || {
        read(
            &file.open()?,
            &parts,
            limits.resource,
            file.root.hard_links(),
        )
    };
    if hashed.is_some() {
        // files that were added later are not covered by a person's trust
        let covered = covered.ok_or_else(none)?;
        return file.unchanged(path, read(), covered.hash);
    }
    read().map_err(|why| match why {
        FolderError::Missing => none(),
        other => file.read_error(path, other),
    })
}

fn find<'a>(files: &'a [FileHash], path: &str) -> Option<&'a FileHash> {
    let at = files.binary_search_by(|file| file.path.as_str().cmp(path));
    files.get(at.ok()?)
}
