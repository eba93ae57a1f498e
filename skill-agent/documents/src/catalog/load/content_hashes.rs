//! The content hashes of a document at load time, used to detect changes.

use crate::ContentHash;
use std::sync::Arc;

/// The hash of a document's file and, in a discovered source, of each bundled file.
#[derive(Clone, Debug)]
pub(crate) struct ContentHashes {
    /// The combined hash of the document and its bundled files.
    pub(crate) hash: ContentHash,
    /// The hash of the document's file alone.
    pub(crate) document: ContentHash,
    /// The bundled files, sorted by path. `None` in a trusted source, where bundled files are not hashed.
    files: Option<Arc<[FileHash]>>,
}

/// A file below a document's folder.
#[derive(Debug)]
pub(crate) struct FileHash {
    pub(crate) path: String,
    pub(crate) hash: ContentHash,
}

impl ContentHashes {
    /// Creates the hashes for a document whose bundled files are not hashed.
    pub(crate) fn of(document: ContentHash) -> Self {
        Self {
            hash: document,
            document,
            files: None,
        }
    }

    /// Creates the hashes for a document and its bundled files, which must be sorted by path.
    pub(crate) fn with_files(document: ContentHash, files: Vec<FileHash>) -> Self {
        let all = files.iter().map(|file| (&*file.path, &file.hash));
        Self {
            hash: document.with_files(all),
            document,
            files: Some(files.into()),
        }
    }

    /// Returns the bundled files that the hash covers.
    pub(crate) fn files(&self) -> Option<&[FileHash]> {
        self.files.as_deref()
    }
}
