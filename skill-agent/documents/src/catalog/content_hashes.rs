//! The hash of a document when it was loaded, which detects changes.

use crate::ContentHash;
use std::sync::Arc;

/// The hash of a document's file and, in a discovered source, of each file that it bundles.
#[derive(Clone, Debug)]
pub(crate) struct ContentHashes {
    /// The hash of everything.
    pub(super) hash: ContentHash,
    /// The hash of the document alone.
    pub(super) document: ContentHash,
    /// Sorted by path; `None` in a trusted source, where bundled files are not hashed.
    files: Option<Arc<[FileHash]>>,
}

/// A file below the folder of a document.
#[derive(Debug)]
pub(super) struct FileHash {
    pub(super) path: String,
    pub(super) hash: ContentHash,
}

impl ContentHashes {
    /// Creates the hash of a document whose bundled files are not hashed.
    pub(super) fn of(document: ContentHash) -> Self {
        Self {
            hash: document,
            document,
            files: None,
        }
    }

    /// Creates the hash of a document and its bundled files, which must be sorted by path.
    pub(super) fn with_files(document: ContentHash, files: Vec<FileHash>) -> Self {
        let all = files.iter().map(|file| (&*file.path, &file.hash));
        Self {
            hash: document.with_files(all),
            document,
            files: Some(files.into()),
        }
    }

    /// Returns the bundled files that the hash covers.
    pub(super) fn files(&self) -> Option<&[FileHash]> {
        self.files.as_deref()
    }
}
