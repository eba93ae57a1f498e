//! Matches the toolsets of documents with Rust skills. The toolset `path:Type` belongs to the skill named `Type`.

use super::super::report;
use super::file::Document;
use crate::errors::Errors;
use crate::messages;
use crate::names;
use proc_macro2::Span;
use skill_manifest::{DiagnosticCode, FrontmatterField};
use std::collections::BTreeMap;
use syn::Path;

/// Every toolset must have a type, and every type must have a toolset. Each type must be listed once.
pub(super) fn check(
    documents: &[Document],
    types: Option<&[Path]>,
    span: Span,
    errors: &mut Errors,
) -> Vec<Path> {
    let Some(types) = types else {
        not_bound(documents, span, errors);
        return Vec::new();
    };
    let mut bound: BTreeMap<String, &Path> = BTreeMap::new();
    let (mut kept, mut is_misnamed) = (Vec::new(), false);
    let named = named(documents);
    for ty in types {
        let name = last_name(ty);
        if let Some(first) = bound.get(&name) {
            report(messages::listed_here(&name), first, errors);
            report(messages::listed_twice("the toolset", &name), ty, errors);
        } else if !named.contains(&&*name) {
            let path = match documents {
                [one] => Some(&*one.path),
                _ => None,
            };
            report(
                messages::type_without_toolset(&name, path, &named),
                ty,
                errors,
            );
            is_misnamed = true;
        } else {
            bound.insert(name, ty);
            kept.push(ty.clone());
        }
    }
    // a toolset whose type is misspelled was already reported, so it is not reported as missing too
    if !is_misnamed {
        for (document, toolset) in all(documents) {
            let ty = type_of(toolset);
            if !bound.contains_key(ty) {
                let text = messages::toolset_without_type(ty);
                errors.report_at(finding(document, toolset, text), span);
            }
        }
    }
    kept
}

/// Without the option `toolsets`, reports the first toolset of each document.
fn not_bound(documents: &[Document], span: Span, errors: &mut Errors) {
    for document in documents {
        if let Some(first) = document.doc.toolsets.first() {
            let types = named(std::slice::from_ref(document));
            let text = messages::toolsets_not_bound(&types);
            errors.report_at(finding(document, first, text), span);
        }
    }
}

/// Formats a message that shows the toolset in the document.
fn finding(document: &Document, toolset: &str, text: (String, String)) -> String {
    let value = (FrontmatterField::Toolsets.key(), toolset);
    document.finding(DiagnosticCode::UnboundToolset, value, text)
}

fn all(documents: &[Document]) -> impl Iterator<Item = (&Document, &str)> {
    documents.iter().flat_map(|document| {
        let toolsets = document.doc.toolsets.iter();
        toolsets.map(move |toolset| (document, &**toolset))
    })
}

/// Returns the names of the toolsets' types in the documents, without duplicates.
fn named(documents: &[Document]) -> Vec<&str> {
    let mut names = Vec::new();
    for (_, toolset) in all(documents) {
        let ty = type_of(toolset);
        if !names.contains(&ty) {
            names.push(ty);
        }
    }
    names
}

/// Returns `HelloToolset` for `toolsets/index:HelloToolset`.
fn type_of(toolset: &str) -> &str {
    toolset.rsplit_once(':').map_or(toolset, |(_, ty)| ty)
}

fn last_name(path: &Path) -> String {
    let last = path.segments.last();
    last.map(|last| names::plain(&last.ident))
        .unwrap_or_default()
}
