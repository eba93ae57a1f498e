//! Reports broken rules at run time.

use super::Candidate;
use super::examine::{Found, RULES, SHARED_COMMAND, examine_into};
use super::look::Look;
use super::names::{self, Names, list, str};
use super::say::{self, Told, cut, say};
use super::scene::Scene;
use skill_core::__private::{EMPTY, split};
use skill_manifest::__private::id_key;
use skill_manifest::{Diagnostic, DiagnosticCode, Severity};
use std::borrow::Cow;

/// The most documents that get suggestions, which cost more time than everything else.
const SUGGESTED: usize = 100;

/// Returns the diagnostics of each document, in the order of the documents. A document with an error cannot be offered. A
/// command shared by two documents is a warning, since both load and the command is ambiguous when it is used. A document that
/// requires one with an error has an error too.
pub(crate) fn report(scene: &Scene<'_>) -> Vec<Vec<Diagnostic>> {
    let keys: Vec<Cow<'_, str>> = scene.docs.iter().map(|it| key(str(&it.doc.id))).collect();
    let docs = scene.docs.iter().zip(&keys);
    let docs: Vec<_> = docs.map(|(it, key)| Candidate { key, ..*it }).collect();
    let scene = &Scene {
        docs: &docs,
        seed: names::seed(),
        ..*scene
    };
    let mut found = vec![Found::NOTHING; scene.docs.len()];
    let mut tables = vec![EMPTY; scene.room() * Names::KINDS];
    examine_into(scene, &mut tables, &mut found);
    let mut look = Look::new(scene, &tables);
    let mut told = 0;
    let mut report: Vec<Vec<Diagnostic>> = found
        .iter()
        .enumerate()
        .map(|(index, found)| {
            told += usize::from(found.rules != 0);
            look.suggests = told <= SUGGESTED;
            let rules = RULES.iter().filter(|rule| found.rules & **rule != 0);
            rules
                .map(|rule| diagnostic(say(&look, found, index, *rule), *rule, scene, index))
                .collect()
        })
        .collect();
    exclude_those_who_require(&look, &found, &mut report);
    report
}

/// Returns an id in the form that is compared with the names of skills, except for case. Const evaluation cannot normalize
/// Unicode.
fn key(id: &str) -> Cow<'_, str> {
    if id.is_ascii() {
        Cow::Borrowed(id)
    } else {
        Cow::Owned(id_key(id))
    }
}

/// Returns the error if an action has the name of the tool `skill`.
pub(crate) fn reserved_tool(scene: &Scene<'_>) -> Option<Diagnostic> {
    let told = say::reserved_tool(scene)?;
    let found = Diagnostic::new(told.code, Severity::Error, told.what.as_str());
    Some(found.help(told.help.as_str()))
}

fn diagnostic(told: Told, rule: u16, scene: &Scene<'_>, index: usize) -> Diagnostic {
    let severity = match rule {
        SHARED_COMMAND => Severity::Warning,
        _ => Severity::Error,
    };
    Diagnostic::new(told.code, severity, told.what.as_str())
        .at(scene.docs[index].place)
        .help(told.help.as_str())
}

/// Excludes documents that require an excluded document, transitively. Every requirement is visited once.
fn exclude_those_who_require(look: &Look<'_>, found: &[Found], report: &mut [Vec<Diagnostic>]) {
    let docs = look.scene.docs;
    let mut excluded: Vec<bool> = found.iter().map(|found| found.excludes()).collect();
    let mut left: Vec<usize> = (0..docs.len()).filter(|index| excluded[*index]).collect();
    if left.is_empty() {
        return;
    }
    let mut dependents = vec![Vec::new(); docs.len()];
    for (index, candidate) in docs.iter().enumerate() {
        for requirement in list(&candidate.doc.requires) {
            let (name, _) = split(str(requirement));
            if let Some((Some(other), _)) = look.required(candidate.doc, name) {
                dependents[other].push(index);
            }
        }
    }
    while let Some(other) = left.pop() {
        for &index in &dependents[other] {
            if excluded[index] {
                continue;
            }
            excluded[index] = true;
            left.push(index);
            let what = [
                "the document `",
                cut(str(&docs[index].doc.id)),
                "` requires `",
                cut(str(&docs[other].doc.id)),
                "`, which cannot be offered itself",
            ];
            let help = ["mend that one first, or take it out of `requires`"];
            let told = Told::new(DiagnosticCode::MissingRequirement, &what, &help);
            report[index].push(diagnostic(told, 0, look.scene, index));
        }
    }
}
