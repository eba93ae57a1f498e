//! The rules for the list of documents that the macro can check. `skill_agent::manifest` checks the documents' contents.

use super::super::{compact_text, report, report_at};
use crate::conditions::is_cfg;
use crate::errors::Errors;
use crate::messages;
use crate::parse::agent::{DocumentEntry, Switch};
use crate::paths::Paths;
use proc_macro2::{Span, TokenStream};
use std::collections::BTreeMap;
use syn::spanned::Spanned;
use syn::{Attribute, Path};

/// The keys `documents` and `allow_skills`.
pub(crate) struct Documents {
    /// The path of `skill-agent`'s module `manifest`.
    pub(crate) manifest: TokenStream,
    /// The span of the first of the two keys.
    pub(crate) key: Span,
    pub(crate) list: Vec<Document>,
    pub(crate) allow_skills: Option<Switch>,
}

/// An entry of the list.
pub(crate) struct Document {
    pub(crate) cfg: Vec<Attribute>,
    pub(crate) is_list: bool,
    pub(crate) path: Path,
    pub(crate) span: Span,
}

impl Document {
    /// Returns the entry's text, such as `..FOLDER`.
    pub(crate) fn text(&self) -> String {
        let dots = if self.is_list { ".." } else { "" };
        format!("{dots}{}", compact_text(&self.path))
    }
}

/// Documents require `skill-agent` with its feature `manifest`. Each document must be listed once.
pub(super) fn documents(
    entries: Vec<DocumentEntry>,
    (key, allow_skills): (Option<Span>, Option<Switch>),
    paths: &Paths,
    errors: &mut Errors,
) -> Option<Documents> {
    let (name, at) = match (key, allow_skills) {
        (Some(key), _) => ("documents", key),
        (None, Some(switch)) => ("allow_skills", switch.key),
        (None, None) => return None,
    };
    let Some(manifest) = paths.manifest() else {
        report_at(messages::key_of_skill_agent(name), at, errors);
        return None;
    };
    if !cfg!(feature = "manifest") {
        report_at(messages::key_without_manifest(name), at, errors);
        return None;
    }
    Some(Documents {
        manifest: manifest.clone(),
        key: at,
        list: list(entries, errors),
        allow_skills,
    })
}

fn list(entries: Vec<DocumentEntry>, errors: &mut Errors) -> Vec<Document> {
    let mut seen: BTreeMap<String, Path> = BTreeMap::new();
    let mut list = Vec::new();
    for mut entry in entries {
        let path = compact_text(&entry.path);
        entry.attrs.retain(|attr| {
            let is_cfg = is_cfg(attr);
            if !is_cfg {
                report(messages::document_attribute(), attr.path(), errors);
            }
            is_cfg
        });
        // entries under `#[cfg]` may exclude each other
        if entry.attrs.is_empty() {
            if let Some(first) = seen.get(&path) {
                report(messages::listed_here(&path), first, errors);
                let message = messages::listed_twice("the document", &path);
                report(message, &entry.path, errors);
                continue;
            }
            seen.insert(path, entry.path.clone());
        }
        let last = entry.path.segments.last();
        let span = last.map_or_else(|| entry.path.span(), |last| last.ident.span());
        list.push(Document {
            cfg: entry.attrs,
            is_list: entry.is_list,
            path: entry.path,
            span,
        });
    }
    list
}
