//! Finds the documents of one source.

use super::content::Content;
use super::found::{At, Found};
use super::settings::{Root, Seen, Site};
use super::walk::walk;
use crate::manifest::folder::Folder;
use crate::manifest::{
    ContentHash, Diagnostic, DiagnosticCode, DocText, LoadError, Severity, SkillDoc,
};
use std::collections::BTreeSet;
use std::path::Path;

/// The result of scanning a source.
#[derive(Debug, Default)]
pub(super) struct Scanned {
    /// Sorted by path.
    pub(super) found: Vec<Found>,
    pub(super) diagnostics: Vec<Diagnostic>,
    pub(super) error: Option<LoadError>,
}

pub(super) fn scan(index: usize, root: &Root, trusted: &BTreeSet<Seen>) -> Scanned {
    let path = match &root.place {
        Site::Embedded(docs) => {
            let found = docs.iter().map(|doc| embedded(index, doc)).collect();
            return Scanned {
                found,
                ..Scanned::default()
            };
        }
        Site::Homeless(path) => {
            return missing(root, path, &"there is no home folder on this machine");
        }
        Site::Folder(path) => path,
    };
    let top = match Folder::open(path) {
        Ok(top) => top,
        Err(why) => return missing(root, path, &why),
    };
    let mut scanned = walk(index, root, path, &top);
    for found in &mut scanned.found {
        // nobody can have trusted a document that cannot be read
        let seen = |found: &Found| found.doc.is_some() && trusted.contains(&found.seen());
        found.trusted = !root.discovered || seen(found);
    }
    scanned
        .found
        .sort_by(|a, b| a.at.place().cmp(&b.at.place()));
    scanned.diagnostics.sort_by(|a, b| a.path.cmp(&b.path));
    scanned
}

/// A candidate for an embedded document, which was checked at compile time.
fn embedded(root: usize, doc: &'static SkillDoc) -> Found {
    // its strings are borrowed, so the clone is cheap
    let mut header = doc.clone();
    header.body = DocText::default();
    Found {
        id: doc.id.clone(),
        root,
        at: At::Embedded(doc),
        content: Content::of(embedded_hash(doc)),
        doc: Some(header),
        trusted: true,
    }
}

fn embedded_hash(doc: &SkillDoc) -> ContentHash {
    // strings, lists and booleans always serialize
    ContentHash::of(&serde_json::to_vec(doc).unwrap_or_default())
}

/// The result for a source whose folder cannot be read.
fn missing(root: &Root, path: &Path, why: &dyn std::fmt::Display) -> Scanned {
    let path = path.display().to_string();
    let name = &root.name;
    let required = LoadError::Required {
        source_name: name.to_string(),
        path: path.clone(),
        why: why.to_string(),
    };
    let severity = if root.required {
        Severity::Error
    } else {
        Severity::Warning
    };
    let message = format!("the folder of the source `{name}` cannot be read: {why}");
    let told = Diagnostic::new(DiagnosticCode::MissingRoot, severity, message).at(path);
    Scanned {
        diagnostics: if root.discovered && !root.required {
            Vec::new()
        } else {
            vec![told]
        },
        error: root.required.then_some(required),
        found: Vec::new(),
    }
}
