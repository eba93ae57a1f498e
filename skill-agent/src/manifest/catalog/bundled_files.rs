//! The files that a document bundles, and their hashes.

use super::content_hashes::FileHash;
use crate::manifest::folder::{Folder, FolderError, ItemKind};
use crate::manifest::resource_path::parts;
use crate::manifest::{ContentHash, DocumentLimits};
use std::ffi::OsStr;
use std::path::Path;

/// The paths of the files below a folder.
#[derive(Debug)]
pub(super) struct BundledFiles {
    pub(super) files: Vec<String>,
    /// A folder that lies deeper than the dialect allows.
    pub(super) too_deep: Option<String>,
}

/// A path below the folder that cannot be read, and why.
pub(super) type UnreadableFile = (String, FolderError);

/// Lists the files below the folder of a document whose own file is called `document`. Hidden files, links and devices are not
/// listed and never opened.
pub(super) fn list_bundled_files(
    top: &Folder,
    document: &str,
    limits: &DocumentLimits,
) -> Result<BundledFiles, UnreadableFile> {
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
                // a name that is not UTF-8 cannot be asked for
                let Some(name) = item.name.to_str().filter(|name| is_shown(name)) else {
                    continue;
                };
                let path = match rel_path.as_str() {
                    "" => name.to_owned(),
                    rel_path => format!("{rel_path}/{name}"),
                };
                match item.kind {
                    ItemKind::File => files.push(path),
                    ItemKind::Folder => next.push(path),
                    ItemKind::Link | ItemKind::Other => {}
                }
            }
        }
        level = next;
    }
    files.retain(|path| parts(path, document, limits.resource_depth).is_ok());
    files.sort_unstable();
    Ok(BundledFiles {
        files,
        too_deep: level.into_iter().next(),
    })
}

fn is_shown(name: &str) -> bool {
    !is_skipped(OsStr::new(name)) && !name.chars().any(char::is_control)
}

/// Reads a file below a folder.
pub(super) fn read(top: &Folder, parts: &[&str], max: usize) -> Result<Vec<u8>, FolderError> {
    let Some((name, folders)) = parts.split_last() else {
        return Err(FolderError::Missing);
    };
    let folder = top.below(&folders.iter().collect::<std::path::PathBuf>())?;
    folder.file(OsStr::new(name), max)
}

/// How many files and bytes of the documents of one source may still be hashed.
#[derive(Debug)]
pub(super) struct HashBudget {
    files: usize,
    bytes: usize,
}

impl HashBudget {
    pub(super) fn of(limits: &DocumentLimits) -> Self {
        Self {
            files: limits.entries,
            bytes: limits.all_resources,
        }
    }

    /// Returns the hash of every file that a document bundles, in order. One file that is too large or cannot be read fails the
    /// whole document, because an unhashed file could change unnoticed.
    pub(super) fn hashes(
        &mut self,
        top: &Folder,
        document: &str,
        limits: &DocumentLimits,
    ) -> Result<Vec<FileHash>, UnreadableFile> {
        let bundled = list_bundled_files(top, document, limits)?;
        if let Some(folder) = bundled.too_deep {
            let max = limits.resource_depth;
            return Err((folder, FolderError::TooDeep { max }));
        }
        if bundled.files.len() > self.files {
            let max = limits.entries;
            return Err((String::new(), FolderError::TooManyInAll { max }));
        }
        self.files -= bundled.files.len();
        let mut hashes = Vec::with_capacity(bundled.files.len());
        for path in bundled.files {
            match self.read(top, &path, limits) {
                Ok(bytes) => hashes.push(FileHash {
                    hash: ContentHash::of(&bytes),
                    path,
                }),
                // deleted since its name was read
                Err(FolderError::Missing) => {}
                Err(why) => return Err((path, why)),
            }
        }
        Ok(hashes)
    }

    fn read(
        &mut self,
        top: &Folder,
        path: &str,
        limits: &DocumentLimits,
    ) -> Result<Vec<u8>, FolderError> {
        let parts: Vec<&str> = path.split('/').collect();
        let read = read(top, &parts, limits.resource.min(self.bytes));
        match read {
            Ok(bytes) => {
                self.bytes -= bytes.len();
                Ok(bytes)
            }
            Err(FolderError::TooLarge { bytes, .. }) if bytes <= limits.resource as u64 => {
                let max = limits.all_resources;
                Err(FolderError::TooLargeInAll { max })
            }
            Err(FolderError::TooLarge { bytes, .. }) => {
                let max = limits.resource;
                Err(FolderError::TooLarge { bytes, max })
            }
            Err(other) => Err(other),
        }
    }
}

/// Whether a folder is skipped: `node_modules` and hidden folders contain no documents of their own, and many other files.
pub(super) fn is_skipped(name: &OsStr) -> bool {
    name == "node_modules" || name.as_encoded_bytes().starts_with(b".")
}
