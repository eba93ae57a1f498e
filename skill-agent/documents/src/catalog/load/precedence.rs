//! Chooses among documents with the same id. The document from the source with the highest precedence wins, and even if it is
//! broken, no document from another source replaces it. Within one source, the dialect decides.

use crate::catalog::load::candidate::DocumentCandidate;
use crate::catalog::settings::SourceRoot;
use crate::key::key;
use crate::{CollisionPolicy, Diagnostic, DiagnosticCode, Severity};
use std::collections::BTreeMap;

/// The help for ids that [`key`] makes equal.
pub(crate) const SAME_IDS: &str =
    "rename one; ids that differ only in case or Unicode form are the same";

/// Returns the winning documents, sorted by id, and reports the others.
pub(crate) fn choose(
    found: Vec<DocumentCandidate>,
    roots: &[SourceRoot],
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<DocumentCandidate> {
    let mut claims: BTreeMap<String, Vec<DocumentCandidate>> = BTreeMap::new();
    for candidate in found {
        claims
            .entry(key(&candidate.id).into_owned())
            .or_default()
            .push(candidate);
    }
    let mut chosen = Vec::with_capacity(claims.len());
    for mut group in claims.into_values() {
        // the group is sorted by source, then by path
        let Some(highest) = group.last().map(|candidate| candidate.root) else {
            continue;
        };
        let top = group.split_off(group.partition_point(|candidate| candidate.root < highest));
        // an unreadable document was already reported; it hides documents from sources with a lower precedence, but does not
        // collide with documents in its own source
        let (top, broken): (Vec<_>, Vec<_>) = top
            .into_iter()
            .partition(|candidate| candidate.doc.is_some());
        if let Some(winner) = top.first().or(broken.first()) {
            let hidden = group.iter().map(|loser| hidden_by(loser, winner, roots));
            diagnostics.extend(hidden);
        }
        chosen.extend(choose_in_source(top, roots, diagnostics));
    }
    chosen
}

/// Chooses among the documents of one source.
fn choose_in_source(
    group: Vec<DocumentCandidate>,
    roots: &[SourceRoot],
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<DocumentCandidate> {
    let rule = roots[group.first()?.root].dialect.collision;
    for (index, candidate) in group.iter().enumerate().filter(|_| group.len() > 1) {
        let other = &group[usize::from(index == 0)];
        let (severity, message) = match (rule, index) {
            (CollisionPolicy::First, 0) => continue,
            (CollisionPolicy::First, _) => (Severity::Warning, "is left out"),
            (CollisionPolicy::Exclude, _) => (Severity::Error, "neither is offered"),
        };
        let message = format!(
            "`{}` is also the id `{}` of {}, and {message}",
            candidate.id,
            other.id,
            other.display_path(roots)
        );
        let why = Diagnostic::new(DiagnosticCode::DuplicateId, severity, message);
        let why = why.with_path(candidate.display_path(roots));
        diagnostics.push(why.help(SAME_IDS));
    }
    match rule {
        CollisionPolicy::Exclude if group.len() > 1 => None,
        _ => group.into_iter().next(),
    }
}

fn hidden_by(
    loser: &DocumentCandidate,
    winner: &DocumentCandidate,
    roots: &[SourceRoot],
) -> Diagnostic {
    let message = format!(
        "`{}` of the source `{}` is hidden: the source `{}` also has it, in {}",
        loser.id,
        roots[loser.root].name,
        roots[winner.root].name,
        winner.display_path(roots)
    );
    Diagnostic::new(
        DiagnosticCode::PrecedenceConflict,
        Severity::Warning,
        message,
    )
    .with_path(loser.display_path(roots))
}
