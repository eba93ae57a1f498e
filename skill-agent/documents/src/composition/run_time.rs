//! Reports broken rules at run time.

use super::LocatedDoc;
use super::doc_text::{list, str};
use super::input::CheckInput;
use super::lookup::Lookup;
use super::messages::{self, CheckFinding, cut, finding};
use super::names::{self, NameKind};
use super::rules::{BrokenRules, RULES, SHARED_COMMAND, check_into};
use skill_core::__private::split;
use skill_manifest::__private::folded_id;
use skill_manifest::{Diagnostic, DiagnosticCode, Severity};
use std::borrow::Cow;

/// The maximum number of documents that get suggestions, because finding suggestions takes more time than all other checks.
const MAX_SUGGESTED: usize = 100;

/// Returns the diagnostics of each document, in the documents' order. A document with an error cannot be offered, and every
/// document that requires it gets an error too. A command shared by two documents is only a warning: both documents load, and
/// using the command reports the ambiguity.
pub(crate) fn diagnose(input: &CheckInput<'_>) -> Vec<Vec<Diagnostic>> {
    let keys: Vec<Cow<'_, str>> = input
        .docs
        .iter()
        .map(|located| key(str(&located.doc.id)))
        .collect();
    let docs = input.docs.iter().zip(&keys);
    let docs: Vec<_> = docs
        .map(|(located, key)| LocatedDoc { key, ..*located })
        .collect();
    let input = &CheckInput {
        docs: &docs,
        seed: names::seed(),
        ..*input
    };
    let mut broken = vec![BrokenRules::NONE; input.docs.len()];
    let mut tables = vec![None; input.room() * NameKind::COUNT];
    check_into(input, &mut tables, &mut broken);
    let mut lookup = Lookup::new(input, &tables);
    let mut reported = 0;
    let mut report: Vec<Vec<Diagnostic>> = broken
        .iter()
        .enumerate()
        .map(|(index, broken)| {
            reported += usize::from(broken.rules != 0);
            lookup.with_suggestions = reported <= MAX_SUGGESTED;
            let rules = RULES.iter().filter(|rule| broken.rules & **rule != 0);
            rules
                .map(|rule| diagnostic(finding(&lookup, broken, index, *rule), *rule, input, index))
                .collect()
        })
        .collect();
    exclude_dependents(&lookup, &broken, &mut report);
    report
}

/// Returns an id, normalized for comparison with skill names, except for case. Const evaluation cannot normalize Unicode, so this
/// function runs at run time.
fn key(id: &str) -> Cow<'_, str> {
    if id.is_ascii() {
        Cow::Borrowed(id)
    } else {
        Cow::Owned(folded_id(id))
    }
}

/// Returns an error if an action has the name of a document tool.
pub(crate) fn reserved_tool(input: &CheckInput<'_>) -> Option<Diagnostic> {
    let reported = messages::reserved_tool(input)?;
    let broken = Diagnostic::new(reported.code, Severity::Error, reported.what.as_str());
    Some(broken.help(reported.help.as_str()))
}

fn diagnostic(
    reported: CheckFinding,
    rule: u16,
    input: &CheckInput<'_>,
    index: usize,
) -> Diagnostic {
    let severity = match rule {
        SHARED_COMMAND => Severity::Warning,
        _ => Severity::Error,
    };
    Diagnostic::new(reported.code, severity, reported.what.as_str())
        .with_path(input.docs[index].location)
        .help(reported.help.as_str())
}

/// Excludes documents that require an excluded document, directly or indirectly, and visits every requirement only once.
fn exclude_dependents(lookup: &Lookup<'_>, broken: &[BrokenRules], report: &mut [Vec<Diagnostic>]) {
    let docs = lookup.input.docs;
    let mut excluded: Vec<bool> = broken.iter().map(|broken| broken.excludes()).collect();
    let mut left: Vec<usize> = (0..docs.len()).filter(|index| excluded[*index]).collect();
    if left.is_empty() {
        return;
    }
    let mut dependents = vec![Vec::new(); docs.len()];
    for (index, candidate) in docs.iter().enumerate() {
        for requirement in list(&candidate.doc.requires) {
            let (name, _) = split(str(requirement));
            if let Some((Some(other), _)) = lookup.required(candidate.doc, name) {
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
            let ids = [index, other].map(|at| cut(str(&docs[at].doc.id)));
            let reported = CheckFinding::new(
                DiagnosticCode::MissingRequirement,
                "the document `{}` requires `{}`, which cannot be offered itself",
                &ids,
                "fix that document first, or remove it from `requires`",
            );
            report[index].push(diagnostic(reported, 0, lookup.input, index));
        }
    }
}
