//! Loads sources into a snapshot, step by step. A document that one step removes takes part in no later step.

use super::found::Found;
use super::settings::Settings;
use super::{CatalogEntry, Snapshot, checks, events, names, precedence, scan};
use crate::manifest::{Diagnostic, DiagnosticCode, LoadError, Severity};
use std::path::PathBuf;

/// Loads the sources and emits the diagnostics as events.
pub(super) fn load(settings: &Settings) -> Snapshot {
    let (snapshot, _) = first(settings);
    events::tell(&snapshot.diagnostics);
    snapshot
}

/// Loads the sources. Also returns the first required source that could not be read.
pub(super) fn first(settings: &Settings) -> (Snapshot, Option<LoadError>) {
    let mut diagnostics = Vec::new();
    let mut error = None;
    let mut found = Vec::new();
    let folders = folders(settings);
    for (index, root) in settings.roots.iter().enumerate() {
        if is_elsewhere(index, &folders, settings) {
            continue;
        }
        let scanned = scan::scan(index, root, &settings.trusted);
        diagnostics.extend(scanned.diagnostics);
        found.extend(scanned.found);
        error = error.or(scanned.error);
    }
    diagnostics.extend(names::unknown(&found, settings));
    let discovered = |it: &&Found| settings.roots[it.root].discovered && it.trusted;
    let seen = found.iter().filter(discovered).map(Found::seen).collect();
    let (trusted, untrusted): (Vec<_>, Vec<_>) = found.into_iter().partition(|it| it.trusted);
    let mut chosen = precedence::choose(trusted, &settings.roots, &mut diagnostics);
    chosen.retain(|it| checks::passes(it, settings, &mut diagnostics));
    checks::compose(&mut chosen, settings, false, &mut diagnostics);
    most(&mut chosen, settings, &mut diagnostics);
    // a document over the limit may have been required by others
    checks::compose(&mut chosen, settings, true, &mut diagnostics);
    diagnostics.extend(checks::taken_tool(settings));

    let mut entries = Vec::with_capacity(chosen.len());
    entries.extend(chosen.into_iter().filter_map(|it| entry(it, settings)));
    for it in untrusted {
        entries.extend(listed(it, settings, &mut diagnostics));
    }
    (Snapshot::new(entries, diagnostics, seen), error)
}

/// Returns the canonical folders of the sources, if they exist.
fn folders(settings: &Settings) -> Vec<Option<PathBuf>> {
    let roots = settings.roots.iter();
    roots.map(|it| it.path()?.canonicalize().ok()).collect()
}

/// Whether another source reads the folder of a discovered source: a source of higher precedence, or one that the program
/// names. If the project is the user's home, for example, both have the same folders; each document is then listed once.
fn is_elsewhere(index: usize, folders: &[Option<PathBuf>], settings: &Settings) -> bool {
    let roots = &settings.roots;
    let mut others = folders.iter().enumerate();
    roots[index].discovered
        && folders[index].is_some()
        && others.any(|(other, folder)| {
            *folder == folders[index] && (other > index || !roots[other].discovered)
        })
}

fn entry(mut found: Found, settings: &Settings) -> Option<CatalogEntry> {
    let doc = found.doc.take()?;
    Some(CatalogEntry::of(found, doc, settings))
}

/// Returns the entry of a document that nobody has trusted yet, with a diagnostic.
fn listed(
    found: Found,
    settings: &Settings,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<CatalogEntry> {
    let entry = entry(found, settings)?;
    let message = format!("`{}` is not offered until somebody trusts it", entry.id);
    let help = format!("look at it, and trust `{}`", entry.hash);
    let path = entry.shown(settings);
    let why = Diagnostic::new(DiagnosticCode::Untrusted, Severity::Warning, message);
    diagnostics.push(why.at(path).help(help));
    Some(entry)
}

/// Limits the number of documents. Those of higher sources are kept first, then by id.
fn most(found: &mut Vec<Found>, settings: &Settings, diagnostics: &mut Vec<Diagnostic>) {
    let Some(most) = settings.at_most else {
        return;
    };
    found.sort_by(|a, b| (b.root, &a.id).cmp(&(a.root, &b.id)));
    for it in found.drain(most.min(found.len())..) {
        let message = format!("`{}` is one more than the {most} that are allowed", it.id);
        let why = Diagnostic::new(DiagnosticCode::TooManySkills, Severity::Warning, message);
        diagnostics.push(why.at(it.shown(&settings.roots)));
    }
    found.sort_by(|a, b| a.id.cmp(&b.id));
}
