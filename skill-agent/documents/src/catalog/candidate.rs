//! A document found in a source, before precedence is decided.

use super::content_hashes::ContentHashes;
use super::settings::{SourceRoot, TrustKey};
use crate::{DocText, SkillDoc};
use std::path::{Path, PathBuf};

/// A claim to an id. A document that cannot be read claims its id too, so that no document of a lower source takes its place.
#[derive(Debug)]
pub(crate) struct DocumentCandidate {
    /// The id of the document. An unreadable document claims the name of its folder; a second candidate claims its own name, if
    /// that is known.
    pub(crate) id: DocText,
    /// The index of its source among the roots.
    pub(crate) root: usize,
    pub(crate) at: Location,
    /// The document without its body, if it can be read.
    pub(crate) doc: Option<SkillDoc>,
    pub(crate) body_bytes: usize,
    pub(crate) content: ContentHashes,
    pub(crate) trusted: bool,
}

/// The location of a document in its source.
#[derive(Clone, Debug)]
pub(crate) enum Location {
    Embedded(&'static SkillDoc),
    File {
        /// The folder, relative to the folder of the source.
        folder: PathBuf,
        name: DocText,
    },
}

impl Location {
    pub(crate) fn path(&self, root: &SourceRoot) -> Option<PathBuf> {
        match self {
            Self::Embedded(_) => None,
            Self::File { folder, name } => Some(root.path()?.join(folder).join(&**name)),
        }
    }

    /// Returns the document's folder, relative to the folder of the source.
    pub(crate) fn rel_path(&self) -> Option<&Path> {
        match self {
            Self::Embedded(_) => None,
            Self::File { folder, .. } => Some(folder),
        }
    }

    /// Returns the path that diagnostics show.
    pub(crate) fn display_path(&self, root: &SourceRoot) -> String {
        match self {
            Self::Embedded(doc) => format!("{}:{}", root.name, doc.id),
            Self::File { name, .. } => match self.path(root) {
                Some(path) => path.display().to_string(),
                None => name.to_string(),
            },
        }
    }
}

impl DocumentCandidate {
    /// Returns what a person trusts: the id and the hash.
    pub(crate) fn trust_key(&self) -> TrustKey {
        (self.id.to_string(), self.content.hash)
    }

    pub(crate) fn display_path(&self, roots: &[SourceRoot]) -> String {
        self.at.display_path(&roots[self.root])
    }
}
