//! Hashes the bundled files of documents in a discovered source, up to a total number of files and bytes.

use crate::catalog::bundled_files::{FileScope, UnreadableFile, list_bundled_files, read};
use crate::catalog::load::content_hashes::FileHash;
use crate::folder::{Folder, FolderError, HardLinks};
use crate::{ContentHash, DocumentLimits};

/// The number of files and bytes that may still be hashed for one source.
#[derive(Debug)]
pub(crate) struct HashBudget {
    files: usize,
    bytes: usize,
}

impl HashBudget {
    pub(crate) fn of(limits: &DocumentLimits) -> Self {
        Self {
            files: limits.entries,
            bytes: limits.all_resources,
        }
    }

    /// Hashes every file below a document's folder, in order. If a single file is too large or unreadable, the whole document
    /// fails, because a file without a hash could change unnoticed.
    pub(crate) fn hashes(
        &mut self,
        top: &Folder,
        document: &str,
        limits: &DocumentLimits,
    ) -> Result<Vec<FileHash>, UnreadableFile> {
        let files = list_bundled_files(top, document, limits, FileScope::All)?;
        if files.len() > self.files {
            let max = limits.entries;
            return Err((String::new(), FolderError::TooManyInAll { max }));
        }
        self.files -= files.len();
        let mut hashes = Vec::with_capacity(files.len());
        for path in files {
            match self.read(top, &path, limits) {
                Ok(bytes) => hashes.push(FileHash {
                    hash: ContentHash::of(&bytes),
                    path,
                }),
                // deleted since it was listed
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
        let max = limits.resource.min(self.bytes);
        let read = read(top, &parts, max, HardLinks::Refuse);
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
