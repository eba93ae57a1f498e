//! Loads sources into a snapshot, step by step. Each step ignores the documents that an earlier step removed.

pub(crate) mod candidate;
pub(crate) mod checks;
pub(crate) mod content_hashes;
pub(crate) mod hash_budget;
pub(crate) mod precedence;
pub(crate) mod scan;
pub(crate) mod scan_result;

use super::settings::CatalogSettings;
use super::{CatalogEntry, CatalogSnapshot, events};
use crate::audience::is_for_models;
use crate::catalog::load::candidate::DocumentCandidate;
use crate::catalog::tools::{allowed, unknown_names};
use crate::{Diagnostic, DiagnosticCode, LoadError, Severity};
use std::path::PathBuf;

/// Loads the sources and emits the diagnostics as events.
pub(super) fn load(settings: &CatalogSettings) -> CatalogSnapshot {
    let (snapshot, _) = load_with_error(settings);
    events::emit(&snapshot.diagnostics);
    snapshot
}

/// Loads the sources, and also returns the error of the first required source that could not be read.
pub(super) fn load_with_error(settings: &CatalogSettings) -> (CatalogSnapshot, Option<LoadError>) {
    let mut diagnostics = Vec::new();
    let mut error = None;
    let mut found = Vec::new();
    diagnostics.extend(no_source(settings));
    let folders = folders(settings);
    for (index, root) in settings.roots.iter().enumerate() {
        if is_read_by_another_source(index, &folders, settings) {
            continue;
        }
        let scanned = scan::scan(index, root, &settings.choices);
        diagnostics.extend(scanned.diagnostics);
        found.extend(scanned.found);
        error = error.or(scanned.error);
    }
    diagnostics.extend(unknown_names::warnings(&found, settings));
    let ids = found.iter().map(|candidate| candidate.id.clone()).collect();
    let discovered = |candidate: &&DocumentCandidate| {
        settings.roots[candidate.root].discovered && candidate.trusted
    };
    let trusted_keys = found
        .iter()
        .filter(discovered)
        .map(DocumentCandidate::trust_key)
        .collect();
    let (trusted, untrusted): (Vec<_>, Vec<_>) =
        found.into_iter().partition(|candidate| candidate.trusted);
    let mut chosen = precedence::choose(trusted, &settings.roots, &mut diagnostics);
    let disabled = checks::disabled_documents(&chosen, settings);
    chosen.retain(|candidate| checks::passes(candidate, settings, &mut diagnostics));
    checks::check_composition(&mut chosen, settings, false, &mut diagnostics);
    limit_count(&mut chosen, settings, &mut diagnostics);
    // another document may require a document that exceeds the limit
    checks::check_composition(&mut chosen, settings, true, &mut diagnostics);
    diagnostics.extend(checks::reserved_tool_name(settings));

    let mut entries = Vec::with_capacity(chosen.len());
    entries.extend(
        chosen
            .into_iter()
            .filter_map(|candidate| entry(candidate, settings)),
    );
    if settings.tools.is_some() {
        diagnostics.extend(entries.iter().flat_map(|entry| {
            let path = entry.display_path(settings);
            let found = allowed::misspelled(entry, settings);
            found.map(move |why| why.with_path(&path))
        }));
    }
    if settings.restrict_tools {
        diagnostics.extend(entries.iter().filter_map(|entry| {
            let why = allowed::no_allowed_tools(&[entry], settings)?;
            Some(why.with_path(entry.display_path(settings)))
        }));
    }
    diagnostics.extend(not_offered(&entries, settings));
    for candidate in untrusted {
        entries.extend(untrusted_entry(candidate, settings, &mut diagnostics));
    }
    (
        CatalogSnapshot {
            ids,
            disabled,
            ..CatalogSnapshot::new(entries, diagnostics, trusted_keys)
        },
        error,
    )
}

/// Returns a warning if the catalog has no sources.
fn no_source(settings: &CatalogSettings) -> Option<Diagnostic> {
    settings.roots.is_empty().then(|| {
        let message = "the catalog has no source, and no agent with documents";
        let why = Diagnostic::new(DiagnosticCode::NoSource, Severity::Warning, message);
        why.help("write `.source(Source::project(\"skills\"))` where the catalog is built")
    })
}

/// Returns a warning if models get no documents only because the agent lacks `allow_skills: true`.
fn not_offered(entries: &[CatalogEntry], settings: &CatalogSettings) -> Option<Diagnostic> {
    let is_by_agent = settings.allow_skills.is_none() && !settings.offers_skills();
    if !is_by_agent || !entries.iter().any(|entry| is_for_models(entry.doc())) {
        return None;
    }
    let message = format!(
        "no document is offered to a model, because the agent `{}` does not have `allow_skills: true`",
        settings.facts.name
    );
    let why = Diagnostic::new(DiagnosticCode::NotOffered, Severity::Warning, message);
    Some(why.help(
        "write `allow_skills: true` in `agent!`, or `.allow_skills(true)` where the catalog is built; `.allow_skills(false)` is for documents that only people use",
    ))
}

/// Returns the canonical folder of each source, or `None` for a folder that does not exist.
fn folders(settings: &CatalogSettings) -> Vec<Option<PathBuf>> {
    let roots = settings.roots.iter();
    roots.map(|root| root.path()?.canonicalize().ok()).collect()
}

/// Returns whether a discovered source's folder is also read by another source that has a higher precedence or is not discovered.
/// For example, if the project is the user's home, both have the same folders, and each document should be listed only once.
fn is_read_by_another_source(
    index: usize,
    folders: &[Option<PathBuf>],
    settings: &CatalogSettings,
) -> bool {
    let roots = &settings.roots;
    let mut others = folders.iter().enumerate();
    roots[index].discovered
        && folders[index].is_some()
        && others.any(|(other, folder)| {
            *folder == folders[index] && (other > index || !roots[other].discovered)
        })
}

fn entry(mut found: DocumentCandidate, settings: &CatalogSettings) -> Option<CatalogEntry> {
    let doc = found.doc.take()?;
    Some(CatalogEntry::of(found, doc, settings))
}

/// Creates the entry of an untrusted document, with a diagnostic.
fn untrusted_entry(
    found: DocumentCandidate,
    settings: &CatalogSettings,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<CatalogEntry> {
    let entry = entry(found, settings)?;
    let message = format!("`{}` is not offered until somebody trusts it", entry.id);
    let help = format!("look at it, and trust `{}`", entry.hash);
    let path = entry.display_path(settings);
    let why = Diagnostic::new(DiagnosticCode::Untrusted, Severity::Warning, message);
    diagnostics.push(why.with_path(path).help(help));
    Some(entry)
}

/// Limits the number of documents. Documents from sources with a higher precedence are kept first, then documents with lower ids.
fn limit_count(
    found: &mut Vec<DocumentCandidate>,
    settings: &CatalogSettings,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let Some(max) = settings.at_most else {
        return;
    };
    found.sort_by(|a, b| (b.root, &a.id).cmp(&(a.root, &b.id)));
    for candidate in found.drain(max.min(found.len())..) {
        let message = format!(
            "`{}` is left out: at most {max} documents are allowed",
            candidate.id
        );
        let why = Diagnostic::new(DiagnosticCode::TooManySkills, Severity::Warning, message);
        diagnostics.push(why.with_path(candidate.display_path(&settings.roots)));
    }
    found.sort_by(|a, b| a.id.cmp(&b.id));
}
