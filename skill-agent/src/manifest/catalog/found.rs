//! What a source has under an id, before it is decided what counts.

use super::content::Content;
use super::settings::{Root, Seen};
use crate::manifest::{SkillDoc, Text};
use std::path::{Path, PathBuf};

/// Something that claims an id. It does so also when it cannot be read: no lower document takes its place.
#[derive(Debug)]
pub(crate) struct Found {
    /// The id of the document. One that cannot be read claims the name of its folder, and the name that it was given once
    /// more.
    pub(crate) id: Text,
    /// The place of its source among the roots.
    pub(crate) root: usize,
    pub(crate) at: At,
    /// The document without its body, if it can be read.
    pub(crate) doc: Option<SkillDoc>,
    pub(crate) content: Content,
    pub(crate) trusted: bool,
}

/// Where a document stands in its source.
#[derive(Clone, Debug)]
pub(crate) enum At {
    Embedded(&'static SkillDoc),
    File {
        /// Below the folder of the source.
        folder: PathBuf,
        name: Text,
    },
}

impl At {
    pub(crate) fn path(&self, root: &Root) -> Option<PathBuf> {
        match self {
            Self::Embedded(_) => None,
            Self::File { folder, name } => Some(root.path()?.join(folder).join(&**name)),
        }
    }

    /// Its folder below that of the source.
    pub(crate) fn place(&self) -> Option<&Path> {
        match self {
            Self::Embedded(_) => None,
            Self::File { folder, .. } => Some(folder),
        }
    }

    /// As diagnostics name it.
    pub(crate) fn shown(&self, root: &Root) -> String {
        match self {
            Self::Embedded(doc) => format!("{}:{}", root.name, doc.id),
            Self::File { name, .. } => match self.path(root) {
                Some(path) => path.display().to_string(),
                None => name.to_string(),
            },
        }
    }
}

impl Found {
    /// What a person trusts of it.
    pub(crate) fn seen(&self) -> Seen {
        (self.id.to_string(), self.content.hash)
    }

    pub(crate) fn shown(&self, roots: &[Root]) -> String {
        self.at.shown(&roots[self.root])
    }
}
