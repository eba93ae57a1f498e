//! A document in a catalog.

use super::CatalogSettings;
use crate::catalog::load::candidate::{DocumentCandidate, Location};
use crate::catalog::load::content_hashes::ContentHashes;
use crate::{ContentHash, DocText, SkillDoc};
use std::path::{Path, PathBuf};

/// A document in a catalog: its metadata without the body, and its source.
#[non_exhaustive]
#[derive(Clone, Debug)]
pub struct CatalogEntry {
    /// The document's id.
    pub id: DocText,
    /// The name of the document's source.
    pub source: DocText,
    /// The path of the document's file. `None` for an embedded document.
    pub path: Option<PathBuf>,
    /// The document's hash at load time. In a [`discovered`](crate::Source::discovered) source, it also covers the bundled files.
    pub hash: ContentHash,
    /// Whether the document is trusted and therefore offered. An untrusted document is only listed, so that a person can decide.
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

    /// Returns the document with an empty body. Use [`Catalog::read`](super::Catalog::read) to read the body.
    #[must_use]
    pub fn doc(&self) -> &SkillDoc {
        &self.doc
    }

    /// Returns the body's length at load time, in bytes.
    #[must_use]
    pub fn body_bytes(&self) -> usize {
        self.body_bytes
    }

    /// Returns the index of the document's source in order of precedence.
    pub(crate) fn root(&self) -> usize {
        self.root
    }

    /// Returns the parts that identify the document: its id, source, relative path and hash. They do not depend on the location
    /// of the source's folder.
    pub(super) fn identity(&self) -> [&[u8]; 4] {
        let rel_path = self.at.rel_path().unwrap_or(Path::new(""));
        [
            self.id.as_bytes(),
            self.source.as_bytes(),
            rel_path.as_os_str().as_encoded_bytes(),
            self.hash.as_bytes(),
        ]
    }

    /// Returns the path to show in diagnostics.
    pub(super) fn display_path(&self, settings: &CatalogSettings) -> String {
        self.at.display_path(&settings.roots[self.root])
    }
}
