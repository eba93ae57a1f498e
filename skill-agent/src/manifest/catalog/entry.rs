//! A document of a catalog.

use super::Settings;
use super::content::Content;
use super::found::{At, Found};
use crate::manifest::{ContentHash, SkillDoc, Text};
use std::path::{Path, PathBuf};

/// A document of a catalog: all but its body, and where it comes from.
#[non_exhaustive]
#[derive(Clone, Debug)]
pub struct Entry {
    /// What a program calls it.
    pub id: Text,
    /// The name of its source.
    pub source: Text,
    /// The file; `None` where it is embedded.
    pub path: Option<PathBuf>,
    /// What it held when it was loaded: of a [`discovered`](crate::manifest::Source::discovered) source the document and the
    /// files that it brings, else the document alone.
    pub hash: ContentHash,
    /// Whether it is offered. What is not, is listed for a person who decides.
    pub trusted: bool,
    doc: SkillDoc,
    pub(super) root: usize,
    pub(super) at: At,
    pub(super) content: Content,
}

impl Entry {
    pub(super) fn of(found: Found, doc: SkillDoc, settings: &Settings) -> Self {
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
        }
    }

    /// What the document says, with an empty body: [`Catalog::read`](super::Catalog::read) reads that.
    #[must_use]
    pub fn doc(&self) -> &SkillDoc {
        &self.doc
    }

    /// What makes it what it is, wherever the folder of its source lies.
    pub(super) fn identity(&self) -> [&[u8]; 4] {
        let place = self.at.place().unwrap_or(Path::new(""));
        [
            self.id.as_bytes(),
            self.source.as_bytes(),
            place.as_os_str().as_encoded_bytes(),
            self.hash.as_bytes(),
        ]
    }

    /// Its file, as diagnostics name it.
    pub(super) fn shown(&self, settings: &Settings) -> String {
        self.at.shown(&settings.roots[self.root])
    }
}
