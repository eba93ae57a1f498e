//! The entries of `documents: [...]` in `agent!`.

use super::doc_text::str;
use skill_manifest::SkillDoc;

/// An entry of `documents: [...]`: one document, or a list of documents.
#[derive(Clone, Copy, Debug)]
pub struct ListedDocs<'a> {
    /// The entry as written, such as `PLAN` or `..FOLDER`.
    pub(crate) location: &'a str,
    /// The entry's documents.
    pub(crate) docs: &'a [SkillDoc],
}

impl<'a> ListedDocs<'a> {
    /// Creates an entry such as `PLAN`.
    pub const fn one(location: &'a str, doc: &'a SkillDoc) -> Self {
        Self::all(location, std::slice::from_ref(doc))
    }

    /// Creates an entry such as `..FOLDER`.
    pub const fn all(location: &'a str, docs: &'a [SkillDoc]) -> Self {
        Self { location, docs }
    }
}

/// A document and its location: its entry in `documents: [...]`, or its file.
#[derive(Clone, Copy, Debug)]
pub struct LocatedDoc<'a> {
    pub(crate) location: &'a str,
    pub(crate) doc: &'a SkillDoc,
    /// The id, normalized for comparison with skill names, except for case.
    pub(super) key: &'a str,
}

impl<'a> LocatedDoc<'a> {
    /// Creates a document at a location.
    pub(crate) const fn new(location: &'a str, doc: &'a SkillDoc) -> Self {
        let key = str(&doc.id);
        Self { location, doc, key }
    }

    /// Returns whether this is a placeholder for a document with errors, which are reported where the document is embedded. Only
    /// a placeholder has an empty id.
    pub(super) const fn is_placeholder(&self) -> bool {
        str(&self.doc.id).is_empty()
    }
}

/// Returns the number of documents in the entries.
pub const fn count_docs(listed: &[ListedDocs<'_>]) -> usize {
    let mut count = 0;
    let mut i = 0;
    while i < listed.len() {
        count += listed[i].docs.len();
        i += 1;
    }
    count
}

/// Returns the documents of all entries, in order.
pub const fn located_docs<const N: usize>(
    listed: &[ListedDocs<'static>],
) -> [LocatedDoc<'static>; N] {
    const PLACEHOLDER: &SkillDoc = &skill_manifest::__private::Embedded::EMPTY.doc();
    let mut all = [LocatedDoc::new("", PLACEHOLDER); N];
    let mut n = 0;
    let mut i = 0;
    while i < listed.len() {
        let mut d = 0;
        while d < listed[i].docs.len() {
            all[n] = LocatedDoc::new(listed[i].location, &listed[i].docs[d]);
            n += 1;
            d += 1;
        }
        i += 1;
    }
    all
}
