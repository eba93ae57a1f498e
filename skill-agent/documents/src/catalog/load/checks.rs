//! Checks whether the configuration and the machine allow a document to be offered. The rules in `composition` check the document's
//! requirements on the agent and on other documents, as at compile time.

use crate::audience::is_for_people;
use crate::catalog::load::candidate::DocumentCandidate;
use crate::catalog::settings::CatalogSettings;
use crate::composition::{CheckInput, LocatedDoc, diagnose, reserved_tool};
use crate::{Diagnostic, DiagnosticCode, DocText, Severity, SkillDoc};
use skill_manifest::__private::id_problem;
use std::collections::BTreeMap;

/// Returns whether the document may be offered: it has a valid id, is not disabled, and is eligible on this machine. Adds a
/// diagnostic for each failed check.
pub(crate) fn passes(
    found: &DocumentCandidate,
    settings: &CatalogSettings,
    diagnostics: &mut Vec<Diagnostic>,
) -> bool {
    let Some(doc) = &found.doc else {
        return false;
    };
    let before = diagnostics.len();
    let path = || found.display_path(&settings.roots);
    // documents from files were checked when their text was read
    diagnostics.extend(id_problem(&doc.id).map(|diagnostic| diagnostic.with_path(path())));
    let disabled = disabled(found, doc, settings);
    diagnostics.extend(disabled.map(|diagnostic| diagnostic.with_path(path())));
    let ineligible = ineligible(doc, settings);
    diagnostics.extend(ineligible.map(|diagnostic| diagnostic.with_path(path())));
    diagnostics.len() == before
}

/// Returns the disabled documents, with their commands.
pub(crate) fn disabled_documents(
    found: &[DocumentCandidate],
    settings: &CatalogSettings,
) -> BTreeMap<DocText, Option<DocText>> {
    let docs = found.iter().filter_map(|candidate| {
        let doc = candidate.doc.as_ref()?;
        disabled(candidate, doc, settings)?;
        let command = doc.command.clone().filter(|_| is_for_people(doc));
        Some((candidate.id.clone(), command))
    });
    docs.collect()
}

/// Returns a diagnostic if a person or the configuration disables the document, or if it is bundled and disabled by default.
fn disabled(
    found: &DocumentCandidate,
    doc: &SkillDoc,
    settings: &CatalogSettings,
) -> Option<Diagnostic> {
    let warn = |message| Diagnostic::new(DiagnosticCode::Disabled, Severity::Warning, message);
    match settings.is_enabled(&doc.id) {
        Some(true) => return None,
        Some(false) => return Some(warn(format!("`{}` is disabled", doc.id))),
        None => {}
    }
    let off = !doc.default_enabled && settings.roots[found.root].is_bundled();
    off.then(|| {
        let message = format!("`{}` is bundled with `default_enabled: false`", doc.id);
        warn(message).help(format!("enable `{}` where the catalog is built", doc.id))
    })
}

/// Checks the document's eligibility conditions on this machine.
fn ineligible(doc: &SkillDoc, settings: &CatalogSettings) -> impl Iterator<Item = Diagnostic> {
    let unmet = doc.eligibility.unmet(&*settings.host).into_iter();
    unmet.map(|unmet| {
        let message = format!("`{}` is not eligible: {unmet}", doc.id);
        Diagnostic::new(DiagnosticCode::Ineligible, Severity::Warning, message)
    })
}

/// Removes documents that do not fit the agent or the other documents, and adds a diagnostic for each. Warnings are added only in
/// the last pass, because removing more documents may resolve them.
pub(crate) fn check_composition(
    found: &mut Vec<DocumentCandidate>,
    settings: &CatalogSettings,
    is_last_pass: bool,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let reported = with_check_input(found, settings, diagnose);
    let mut reported = reported.into_iter();
    found.retain(|_| {
        let reported = reported.next().unwrap_or_default();
        let fits = !reported
            .iter()
            .any(|diagnostic| diagnostic.severity == Severity::Error);
        if !fits || is_last_pass {
            diagnostics.extend(reported);
        }
        fits
    });
}

/// Returns a diagnostic if an action has the same name as one of the catalog's tools.
pub(crate) fn reserved_tool_name(settings: &CatalogSettings) -> Option<Diagnostic> {
    if settings.offers_skills() {
        with_check_input(&[], settings, reserved_tool)
    } else {
        None
    }
}

/// Runs a check with the candidates and the settings as its input.
fn with_check_input<T>(
    found: &[DocumentCandidate],
    settings: &CatalogSettings,
    check: impl FnOnce(&CheckInput<'_>) -> T,
) -> T {
    let places: Vec<String> = found
        .iter()
        .map(|candidate| candidate.display_path(&settings.roots))
        .collect();
    let docs = found.iter().zip(&places);
    let docs: Vec<_> = docs
        .filter_map(|(candidate, rel_path)| {
            Some(LocatedDoc::new(rel_path, candidate.doc.as_ref()?))
        })
        .collect();
    let tools = settings.tools.as_ref();
    let tools: Option<Vec<&str>> = tools.map(|tools| tools.iter().map(|tool| &**tool).collect());
    let reserved: Vec<&str> = settings.reserved.iter().map(|command| &**command).collect();
    let facts = &settings.facts;
    check(&CheckInput {
        docs: &docs,
        // only a program that fails to compile contains placeholders
        has_placeholder_docs: false,
        tools: tools.as_deref(),
        actions: facts.actions,
        skills: facts.skills,
        mountable: facts.mountable,
        reserved: &reserved,
        ..CheckInput::EMPTY
    })
}
