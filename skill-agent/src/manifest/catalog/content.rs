//! What a document held when it was loaded, by which it is known again.

use crate::manifest::ContentHash;
use std::sync::Arc;

/// What the file of a document held and, where people trust it by that, each file that it brings.
#[derive(Clone, Debug)]
pub(crate) struct Content {
    /// What stands for all of it.
    pub(super) hash: ContentHash,
    /// Of the document alone.
    pub(super) document: ContentHash,
    /// By their paths; `None` where the source is trusted whatever the files are.
    files: Option<Arc<[FileHash]>>,
}

/// A file below the folder of a document.
#[derive(Debug)]
pub(super) struct FileHash {
    pub(super) path: String,
    pub(super) hash: ContentHash,
}

impl Content {
    /// A document whose files are not looked at.
    pub(super) fn of(document: ContentHash) -> Self {
        Self {
            hash: document,
            document,
            files: None,
        }
    }

    /// A document and all files that it brings, sorted by their paths.
    pub(super) fn with_files(document: ContentHash, files: Vec<FileHash>) -> Self {
        let all = files.iter().map(|it| (&*it.path, &it.hash));
        Self {
            hash: document.with_files(all),
            document,
            files: Some(files.into()),
        }
    }

    /// The files that the hash is over.
    pub(super) fn files(&self) -> Option<&[FileHash]> {
        self.files.as_deref()
    }
}
