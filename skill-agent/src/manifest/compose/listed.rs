//! What stands in the list of documents.

use super::names::str;
use skill_manifest::SkillDoc;

/// An entry of `documents: [...]`: one document, or a list of them.
#[derive(Clone, Copy, Debug)]
pub struct Listed<'a> {
    /// The entry as it was written: `PLAN`, `..FOLDER`.
    pub(crate) place: &'a str,
    /// What it stands for.
    pub(crate) docs: &'a [SkillDoc],
}

impl<'a> Listed<'a> {
    /// `PLAN`
    pub const fn one(place: &'a str, doc: &'a SkillDoc) -> Self {
        Self::all(place, std::slice::from_ref(doc))
    }

    /// `..FOLDER`
    pub const fn all(place: &'a str, docs: &'a [SkillDoc]) -> Self {
        Self { place, docs }
    }
}

/// A document, and where it comes from: the entry of `documents: [...]`, or the file.
#[derive(Clone, Copy, Debug)]
pub struct Candidate<'a> {
    pub(crate) place: &'a str,
    pub(crate) doc: &'a SkillDoc,
    /// Its id as it is compared with the names of skills, but for case.
    pub(super) key: &'a str,
}

impl<'a> Candidate<'a> {
    /// A document that was found.
    pub(crate) const fn new(place: &'a str, doc: &'a SkillDoc) -> Self {
        let key = str(&doc.id);
        Self { place, doc, key }
    }

    /// Whether it stands in for a document with mistakes, which are told where it is embedded: a document has an id.
    pub(super) const fn stands_in(&self) -> bool {
        str(&self.doc.id).is_empty()
    }
}

/// How many documents the entries stand for.
pub const fn count(listed: &[Listed<'_>]) -> usize {
    let mut count = 0;
    let mut i = 0;
    while i < listed.len() {
        count += listed[i].docs.len();
        i += 1;
    }
    count
}

/// The documents of all entries, one after another.
pub const fn candidates<const N: usize>(listed: &[Listed<'static>]) -> [Candidate<'static>; N] {
    const NOBODY: &SkillDoc = &skill_manifest::__private::Embedded::EMPTY.doc();
    let mut all = [Candidate::new("", NOBODY); N];
    let mut n = 0;
    let mut i = 0;
    while i < listed.len() {
        let mut d = 0;
        while d < listed[i].docs.len() {
            all[n] = Candidate::new(listed[i].place, &listed[i].docs[d]);
            n += 1;
            d += 1;
        }
        i += 1;
    }
    all
}
