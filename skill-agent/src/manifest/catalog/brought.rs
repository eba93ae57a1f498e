//! The files that a document brings: which there are, and what they held.

use super::content::FileHash;
use super::walk::is_skipped;
use crate::manifest::folder::{Folder, Kind, Refused};
use crate::manifest::resource_path::parts;
use crate::manifest::{ContentHash, Limits};
use std::ffi::OsStr;
use std::path::Path;

/// The files below a folder, by their paths.
#[derive(Debug)]
pub(super) struct Brought {
    pub(super) files: Vec<String>,
    /// A folder that lies deeper than the dialect looks.
    pub(super) too_deep: Option<String>,
}

/// Why they are not known, and the path below the folder that it is about.
pub(super) type Unknown = (String, Refused);

/// Looks for files below the folder of a document whose file is called `document`. Hidden ones are no part of it, nor
/// links and devices, which are not opened.
pub(super) fn brought(top: &Folder, document: &str, limits: &Limits) -> Result<Brought, Unknown> {
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

/// What a file below a folder holds.
pub(super) fn read(top: &Folder, parts: &[&str], most: usize) -> Result<Vec<u8>, Refused> {
    let Some((name, folders)) = parts.split_last() else {
        return Err(Refused::Missing);
    };
    let folder = top.below(&folders.iter().collect::<std::path::PathBuf>())?;
    folder.file(OsStr::new(name), most)
}

/// How much of what the documents of one source bring may still be read to know it again.
#[derive(Debug)]
pub(super) struct Budget {
    files: usize,
    bytes: usize,
}

impl Budget {
    pub(super) fn of(limits: &Limits) -> Self {
        Self {
            files: limits.entries,
            bytes: limits.all_resources,
        }
    }

    /// The hash of every file that a document brings, in order. A single one that is too much or cannot be read is the
    /// error: what is not known can be changed unseen.
    pub(super) fn hashes(
        &mut self,
        top: &Folder,
        document: &str,
        limits: &Limits,
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
                // it has gone since its name was read
                Err(Refused::Missing) => {}
                Err(why) => return Err((path, why)),
            }
        }
        Ok(hashes)
    }

    fn read(&mut self, top: &Folder, path: &str, limits: &Limits) -> Result<Vec<u8>, Refused> {
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
