//! The files that a document bundles.

use crate::DocumentLimits;
use crate::folder::{Folder, FolderError, HardLinks, ItemKind};
use crate::resource_path::parts;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// Which files in a document's folder to list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FileScope {
    /// The files that are served: not hidden, not in `node_modules`, and not links or devices.
    Served,
    /// Every file except the document itself. A script can read all of these files, so trusting the script means trusting all of
    /// them. An item without contents, such as a link, is an error.
    All,
}

/// An unreadable path below the folder, and the reason.
pub(super) type UnreadableFile = (String, FolderError);

/// Lists the files below a document's folder in sorted order, except the document's own file, whose name is `document`. Opens
/// folders, but no files.
pub(super) fn list_bundled_files(
    top: &Folder,
    document: &str,
    limits: &DocumentLimits,
    scope: FileScope,
) -> Result<Vec<String>, UnreadableFile> {
    let max = limits.resources;
    let mut left = max;
    let mut files = Vec::new();
    let mut level = vec![String::new()];
    for _ in 0..=limits.resource_depth {
        let mut next = Vec::new();
        for rel_path in level {
            let items = top
                .below(Path::new(&rel_path))
                .and_then(|folder| folder.items(left));
            let items = match items {
                Ok(items) => items,
                Err(FolderError::TooMany { .. }) => {
                    return Err((String::new(), FolderError::TooMany { max }));
                }
                Err(why) => return Err((rel_path, why)),
            };
            left -= items.len();
            for item in items {
                let path = below(&rel_path, &item.name.to_string_lossy());
                match (scope, item.kind) {
                    (FileScope::Served, _) if !is_shown(&item.name) => {}
                    (FileScope::All, _) if item.name.to_str().is_none() => {
                        return Err((path, FolderError::NotUtf8));
                    }
                    (_, ItemKind::File) => files.push(path),
                    (_, ItemKind::Folder) => next.push(path),
                    (FileScope::Served, ItemKind::Link | ItemKind::Other) => {}
                    (FileScope::All, ItemKind::Link) => return Err((path, FolderError::Link)),
                    (FileScope::All, ItemKind::Other) => return Err((path, FolderError::NotAFile)),
                }
            }
        }
        level = next;
    }
    match (scope, level.into_iter().next()) {
        (FileScope::All, Some(folder)) => {
            let max = limits.resource_depth;
            return Err((folder, FolderError::TooDeep { max }));
        }
        (FileScope::All, None) => files.retain(|path| path != document),
        (FileScope::Served, _) => files.retain(|path| is_served(path, document, limits)),
    }
    files.sort_unstable();
    Ok(files)
}

fn below(folder: &str, name: &str) -> String {
    match folder {
        "" => name.to_owned(),
        folder => format!("{folder}/{name}"),
    }
}

/// Returns whether programs and models may see a file.
pub(super) fn is_served(path: &str, document: &str, limits: &DocumentLimits) -> bool {
    let mut names = path.split('/');
    names.all(|name| is_shown(OsStr::new(name)))
        && parts(path, document, limits.resource_depth).is_ok()
}

/// Returns whether a file name may be listed. A name that is not UTF-8 cannot be requested, so it is not listed.
fn is_shown(name: &OsStr) -> bool {
    let is_plain = |name: &str| !name.chars().any(char::is_control);
    !is_skipped(name) && name.to_str().is_some_and(is_plain)
}

/// Returns whether a folder is skipped. `node_modules` and hidden folders are skipped, because they contain many files and no
/// documents.
pub(crate) fn is_skipped(name: &OsStr) -> bool {
    name == "node_modules" || name.as_encoded_bytes().starts_with(b".")
}

/// Reads a file below a folder.
pub(super) fn read(
    top: &Folder,
    parts: &[&str],
    max: usize,
    hard_links: HardLinks,
) -> Result<Vec<u8>, FolderError> {
    let (folder, name) = open_parent(top, parts)?;
    folder.file(name, max, hard_links)
}

/// Checks that a regular file exists below a folder.
pub(super) fn has_file(top: &Folder, parts: &[&str]) -> Result<(), FolderError> {
    let (folder, name) = open_parent(top, parts)?;
    folder.has_file(name)
}

fn open_parent<'a>(top: &Folder, parts: &[&'a str]) -> Result<(Folder, &'a OsStr), FolderError> {
    let (name, folders) = parts.split_last().ok_or(FolderError::Missing)?;
    let folder = top.below(&folders.iter().collect::<PathBuf>())?;
    Ok((folder, OsStr::new(*name)))
}
