//! From sources to a snapshot, step by step. A document that one step leaves out takes part in no later one.

use super::found::Found;
use super::settings::Settings;
use super::{Entry, Snapshot, checks, events, names, precedence, scan};
use crate::manifest::{Code, Diagnostic, LoadError, Severity};
use std::path::PathBuf;

/// A load that is told to whoever listens.
pub(super) fn load(settings: &Settings) -> Snapshot {
    let (snapshot, _) = first(settings);
    events::tell(&snapshot.diagnostics);
    snapshot
}

/// A load, and the first required source that could not be read.
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
    // what was one too many may be what others need
    checks::compose(&mut chosen, settings, true, &mut diagnostics);
    diagnostics.extend(checks::taken_tool(settings));

    let mut entries = Vec::with_capacity(chosen.len());
    entries.extend(chosen.into_iter().filter_map(|it| entry(it, settings)));
    for it in untrusted {
        entries.extend(listed(it, settings, &mut diagnostics));
    }
    (Snapshot::new(entries, diagnostics, seen), error)
}

/// The folders of the sources, as far as they are there.
fn folders(settings: &Settings) -> Vec<Option<PathBuf>> {
    let roots = settings.roots.iter();
    roots.map(|it| it.path()?.canonicalize().ok()).collect()
}

/// Whether the folder of a discovered source is that of a higher one, or of one that the program names: in the home of a user
/// the project is the home. A document is then listed once.
fn is_elsewhere(index: usize, folders: &[Option<PathBuf>], settings: &Settings) -> bool {
    let roots = &settings.roots;
    let mut others = folders.iter().enumerate();
    roots[index].discovered
        && folders[index].is_some()
        && others.any(|(other, folder)| {
            *folder == folders[index] && (other > index || !roots[other].discovered)
        })
}

fn entry(mut found: Found, settings: &Settings) -> Option<Entry> {
    let doc = found.doc.take()?;
    Some(Entry::of(found, doc, settings))
}

/// A document that nobody has trusted yet.
fn listed(found: Found, settings: &Settings, diagnostics: &mut Vec<Diagnostic>) -> Option<Entry> {
    let entry = entry(found, settings)?;
    let message = format!("`{}` is not offered until somebody trusts it", entry.id);
    let help = format!("look at it, and trust `{}`", entry.hash);
    let path = entry.shown(settings);
    let why = Diagnostic::new(Code::Untrusted, Severity::Warning, message);
    diagnostics.push(why.at(path).help(help));
    Some(entry)
}

/// As many as the builder says: those of higher sources first, then by id.
fn most(found: &mut Vec<Found>, settings: &Settings, diagnostics: &mut Vec<Diagnostic>) {
    let Some(most) = settings.at_most else {
        return;
    };
    found.sort_by(|a, b| (b.root, &a.id).cmp(&(a.root, &b.id)));
    for it in found.drain(most.min(found.len())..) {
        let message = format!("`{}` is one more than the {most} that are allowed", it.id);
        let why = Diagnostic::new(Code::TooManySkills, Severity::Warning, message);
        diagnostics.push(why.at(it.shown(&settings.roots)));
    }
    found.sort_by(|a, b| a.id.cmp(&b.id));
}
