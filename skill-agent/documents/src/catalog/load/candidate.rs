//! A document found in a source, before precedence is decided.

use crate::catalog::load::content_hashes::ContentHashes;
use crate::catalog::settings::{SourceRoot, TrustKey};
use crate::{DocText, SkillDoc};
use std::path::{Path, PathBuf};

/// A document that claims an id. An unreadable document claims its id too, so that no document from a source with a lower
/// precedence replaces it.
#[derive(Debug)]
pub(crate) struct DocumentCandidate {
    /// The document's id. An unreadable document claims its folder's name. If its own name is known and different, a second
    /// candidate claims its own name.
    pub(crate) id: DocText,
    /// The source's index among the roots.
    pub(crate) root: usize,
    pub(crate) at: Location,
    /// The document without its body, or `None` if it cannot be read.
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
        /// The document's folder, relative to the source's folder.
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

    /// Returns the document's folder, relative to the source's folder.
    pub(crate) fn rel_path(&self) -> Option<&Path> {
        match self {
            Self::Embedded(_) => None,
            Self::File { folder, .. } => Some(folder),
        }
    }

    /// Returns the path to show in diagnostics.
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
    /// Returns the id and the hash, which a person trusts together.
    pub(crate) fn trust_key(&self) -> TrustKey {
        (self.id.to_string(), self.content.hash)
    }

    pub(crate) fn display_path(&self, roots: &[SourceRoot]) -> String {
        self.at.display_path(&roots[self.root])
    }
}
