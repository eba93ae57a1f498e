//! The files that a document bundles, and their hashes.

use super::content::FileHash;
use super::walk::is_skipped;
use crate::manifest::folder::{Folder, Kind, Refused};
use crate::manifest::resource_path::parts;
use crate::manifest::{ContentHash, DocumentLimits};
use std::ffi::OsStr;
use std::path::Path;

/// The paths of the files below a folder.
#[derive(Debug)]
pub(super) struct Brought {
    pub(super) files: Vec<String>,
    /// A folder that lies deeper than the dialect allows.
    pub(super) too_deep: Option<String>,
}

/// A path below the folder that cannot be read, and why.
pub(super) type Unknown = (String, Refused);

/// Lists the files below the folder of a document whose own file is called `document`. Hidden files, links and devices are not
/// listed and never opened.
pub(super) fn brought(
    top: &Folder,
    document: &str,
    limits: &DocumentLimits,
) -> Result<Brought, Unknown> {
    let most = limits.resources;
    let mut left = most;
    let mut files = Vec::new();
    let mut level = vec![String::new()];
    for _ in 0..=limits.resource_depth {
        let mut next = Vec::new();
        for place in level {
            let items = top
                .below(Path::new(&place))
                .and_then(|folder| folder.items(left));
            let items = match items {
                Ok(items) => items,
                Err(Refused::TooMany { .. }) => {
                    return Err((String::new(), Refused::TooMany { most }));
                }
                Err(why) => return Err((place, why)),
            };
            left -= items.len();
            for item in items {
                // a name that is not UTF-8 cannot be asked for
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
    files.retain(|path| parts(path, document, limits.resource_depth).is_ok());
    files.sort_unstable();
    Ok(Brought {
        files,
        too_deep: level.into_iter().next(),
    })
}

fn is_shown(name: &str) -> bool {
    !is_skipped(OsStr::new(name)) && !name.chars().any(char::is_control)
}

/// Reads a file below a folder.
pub(super) fn read(top: &Folder, parts: &[&str], most: usize) -> Result<Vec<u8>, Refused> {
    let Some((name, folders)) = parts.split_last() else {
        return Err(Refused::Missing);
    };
    let folder = top.below(&folders.iter().collect::<std::path::PathBuf>())?;
    folder.file(OsStr::new(name), most)
}

/// How many files and bytes of the documents of one source may still be hashed.
#[derive(Debug)]
pub(super) struct Budget {
    files: usize,
    bytes: usize,
}

impl Budget {
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
    ) -> Result<Vec<FileHash>, Unknown> {
        let brought = brought(top, document, limits)?;
        if let Some(folder) = brought.too_deep {
            let most = limits.resource_depth;
            return Err((folder, Refused::TooDeep { most }));
        }
        if brought.files.len() > self.files {
            let most = limits.entries;
            return Err((String::new(), Refused::TooManyInAll { most }));
        }
        self.files -= brought.files.len();
        let mut hashes = Vec::with_capacity(brought.files.len());
        for path in brought.files {
            match self.read(top, &path, limits) {
                Ok(bytes) => hashes.push(FileHash {
                    hash: ContentHash::of(&bytes),
                    path,
                }),
                // deleted since its name was read
                Err(Refused::Missing) => {}
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
    ) -> Result<Vec<u8>, Refused> {
        let parts: Vec<&str> = path.split('/').collect();
        let read = read(top, &parts, limits.resource.min(self.bytes));
        match read {
            Ok(bytes) => {
                self.bytes -= bytes.len();
                Ok(bytes)
            }
            Err(Refused::TooLarge { bytes, .. }) if bytes <= limits.resource as u64 => {
                let most = limits.all_resources;
                Err(Refused::TooLargeInAll { most })
            }
            Err(Refused::TooLarge { bytes, .. }) => {
                let most = limits.resource;
                Err(Refused::TooLarge { bytes, most })
            }
            Err(other) => Err(other),
        }
    }
}
