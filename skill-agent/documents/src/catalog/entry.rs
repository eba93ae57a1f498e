//! A document in a catalog.

use super::CatalogSettings;
use super::candidate::{DocumentCandidate, Location};
use super::content_hashes::ContentHashes;
use crate::{ContentHash, DocText, SkillDoc};
use std::path::{Path, PathBuf};

/// A document in a catalog: its metadata without the body, and where it comes from.
#[non_exhaustive]
#[derive(Clone, Debug)]
pub struct CatalogEntry {
    /// The id of the document.
    pub id: DocText,
    /// The name of its source.
    pub source: DocText,
    /// The file; `None` for an embedded document.
    pub path: Option<PathBuf>,
    /// The hash of the document when it was loaded. In a [`discovered`](crate::Source::discovered) source it also
    /// covers the bundled files.
    pub hash: ContentHash,
    /// Whether the document is offered. An untrusted document is only listed, for a person to decide on.
    pub trusted: bool,
    doc: SkillDoc,
    pub(super) root: usize,
    pub(super) at: Location,
    pub(super) content: ContentHashes,
    body_bytes: usize,
}

impl CatalogEntry {
    pub(super) fn of(found: DocumentCandidate, doc: SkillDoc, settings: &CatalogSettings) -> Self {
        let root = &settings.roots[found.root];
        Self {
            id: doc.id.clone(),
            source: root.name.clone(),
            path: found.at.path(root),
            hash: found.content.hash,
            trusted: found.trusted,
            doc,
            root: found.root,
            at: found.at,
            content: found.content,
            body_bytes: found.body_bytes,
        }
    }

    /// Returns the document with an empty body; [`Catalog::read`](super::Catalog::read) reads the body.
    #[must_use]
    pub fn doc(&self) -> &SkillDoc {
        &self.doc
    }

    /// Returns the length of the body when the document was loaded, in bytes.
    #[must_use]
    pub fn body_bytes(&self) -> usize {
        self.body_bytes
    }

    /// Returns the index of its source in the order of precedence.
    pub(crate) fn root(&self) -> usize {
        self.root
    }

    /// Returns what identifies the document, independent of where the folder of its source lies.
    pub(super) fn identity(&self) -> [&[u8]; 4] {
        let rel_path = self.at.rel_path().unwrap_or(Path::new(""));
        [
            self.id.as_bytes(),
            self.source.as_bytes(),
            rel_path.as_os_str().as_encoded_bytes(),
            self.hash.as_bytes(),
        ]
    }

    /// Returns the path that diagnostics show.
    pub(super) fn display_path(&self, settings: &CatalogSettings) -> String {
        self.at.display_path(&settings.roots[self.root])
    }
}
