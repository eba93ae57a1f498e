//! Messages about missing skills and documents.

use super::missing_names::MissingNames;
use super::{CheckFinding, cut, did_you_mean, mounted_only};
use crate::composition::doc_text::str;
use crate::composition::lookup::{Lookup, needed};
use crate::composition::names::NameKind;
use skill_core::__private::{ConstMessage, same, split};
use skill_manifest::{DiagnosticCode, SkillDoc};

pub(super) const fn requirements(lookup: &Lookup<'_>, doc: &SkillDoc) -> CheckFinding {
    let mut causes = MissingNames::new(&["the document `", cut(str(&doc.id)), "` requires "]);
    let mut next = lookup.missing(doc, NameKind::Skills, 0);
    while let Some(at) = next {
        causes = unmet(lookup, doc, str(&needed(doc, NameKind::Skills)[at]), causes);
        next = lookup.missing(doc, NameKind::Skills, at + 1);
    }
    causes.reported(DiagnosticCode::MissingRequirement)
}

/// Adds an unmet requirement with its cause and remedy.
const fn unmet(
    lookup: &Lookup<'_>,
    doc: &SkillDoc,
    requirement: &str,
    causes: MissingNames,
) -> MissingNames {
    let (name, _) = split(requirement);
    let is_full = causes.is_full();
    match lookup.required(doc, name) {
        Some((_, Some(version))) => causes.add(
            requirement,
            &[", but the version of `", cut(name), "` is ", cut(version)],
            ConstMessage::new().push(&["require a version that exists"]),
        ),
        Some((_, None)) => causes.add(
            requirement,
            &[", but `", cut(name), "` has no version"],
            ConstMessage::new().push(&["require it without one: `", cut(name), "`"]),
        ),
        None => causes.add(
            requirement,
            &[", which the agent has neither as a skill nor as another document"],
            if is_full {
                ConstMessage::new()
            } else {
                missing_help(lookup, doc, name)
            },
        ),
    }
}

/// Suggests a remedy for a missing requirement.
const fn missing_help(lookup: &Lookup<'_>, doc: &SkillDoc, name: &str) -> ConstMessage {
    if same(str(&doc.id), name) {
        return ConstMessage::new().push(&["a document cannot require itself"]);
    }
    if let Some(skill) = lookup.skill_named(name) {
        return mounted_only(skill);
    }
    if let Some(suggestion) = lookup.suggest(NameKind::Skills, name) {
        return did_you_mean(suggestion);
    }
    match lookup.suggest(NameKind::Ids, name) {
        Some(suggestion) if !same(suggestion, str(&doc.id)) => did_you_mean(suggestion),
        _ => ConstMessage::new().push(&["list it in the agent, or remove it from `requires`"]),
    }
}
