//! Finds the documents of one source.

use crate::catalog::CatalogChoices;
use crate::catalog::load::candidate::{DocumentCandidate, Location};
use crate::catalog::load::content_hashes::ContentHashes;
use crate::catalog::load::scan_result::ScanResult;
use crate::catalog::settings::{SourceKind, SourceRoot};
use crate::catalog::walk::walk;
use crate::folder::Folder;
use crate::{ContentHash, Diagnostic, DiagnosticCode, DocText, LoadError, Severity, SkillDoc};
use std::path::Path;

pub(crate) fn scan(index: usize, root: &SourceRoot, choices: &CatalogChoices) -> ScanResult {
    let path = match &root.kind {
        SourceKind::Embedded(docs) => {
            let found = docs.iter().map(|doc| embedded(index, doc)).collect();
            return ScanResult {
                found,
                ..ScanResult::default()
            };
        }
        SourceKind::NoHome(path) => {
            return missing(root, path, &"there is no home folder on this machine");
        }
        SourceKind::Folder(path) => path,
    };
    let top = match Folder::open(path) {
        Ok(top) => top,
        Err(why) => return missing(root, path, &why),
    };
    let mut scanned = walk(index, root, path, &top);
    for found in &mut scanned.found {
        // an unreadable document has no content to trust
        let is_trusted = |found: &DocumentCandidate| {
            found.doc.is_some() && choices.trusts(&found.id, found.content.hash)
        };
        found.trusted = !root.discovered || is_trusted(found);
    }
    scanned
        .found
        .sort_by(|a, b| a.at.rel_path().cmp(&b.at.rel_path()));
    scanned.diagnostics.sort_by(|a, b| a.path.cmp(&b.path));
    scanned
}

/// Creates the candidate for an embedded document, which was checked at compile time.
fn embedded(root: usize, doc: &'static SkillDoc) -> DocumentCandidate {
    // its strings are borrowed, so the clone is cheap
    let mut header = doc.clone();
    header.body = DocText::default();
    DocumentCandidate {
        id: doc.id.clone(),
        root,
        at: Location::Embedded(doc),
        content: ContentHashes::of(embedded_hash(doc)),
        doc: Some(header),
        body_bytes: doc.body.len(),
        trusted: true,
    }
}

fn embedded_hash(doc: &SkillDoc) -> ContentHash {
    // strings, lists and booleans always serialize
    ContentHash::of(&serde_json::to_vec(doc).unwrap_or_default())
}

/// Creates the result for a source whose folder cannot be read.
fn missing(root: &SourceRoot, path: &Path, why: &dyn std::fmt::Display) -> ScanResult {
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
    let reported = Diagnostic::new(DiagnosticCode::MissingRoot, severity, message).with_path(path);
    ScanResult {
        diagnostics: if root.discovered && !root.required {
            Vec::new()
        } else {
            vec![reported]
        },
        error: root.required.then_some(required),
        found: Vec::new(),
    }
}
