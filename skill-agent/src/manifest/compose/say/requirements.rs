//! Messages about missing skills and documents.

use super::causes::Causes;
use super::{Told, cut, did_you_mean, mounted_only};
use crate::manifest::compose::look::Look;
use crate::manifest::compose::names::{Names, list, str};
use skill_core::__private::{ConstMessage, same, split};
use skill_manifest::{DiagnosticCode, SkillDoc};

pub(super) const fn requirements(look: &Look<'_>, doc: &SkillDoc) -> Told {
    let requires = list(&doc.requires);
    let mut causes = Causes::new(&["the document `", cut(str(&doc.id)), "` requires "]);
    let mut r = 0;
    while r < requires.len() {
        let requirement = str(&requires[r]);
        if !look.is_met(doc, requirement) {
            causes = unmet(look, doc, requirement, causes);
        }
        r += 1;
    }
    causes.told(DiagnosticCode::MissingRequirement)
}

/// Adds an unmet requirement, why it is not met, and what to do about it.
const fn unmet(look: &Look<'_>, doc: &SkillDoc, requirement: &str, causes: Causes) -> Causes {
    let (name, _) = split(requirement);
    let is_full = causes.is_full();
    match look.required(doc, name) {
        Some((_, Some(version))) => causes.add(
            requirement,
            &[", and the version of `", cut(name), "` is ", cut(version)],
            ConstMessage::new().push(&["require a version that is there"]),
        ),
        Some((_, None)) => causes.add(
            requirement,
            &[", and `", cut(name), "` has no version"],
            ConstMessage::new().push(&["require it without one: `", cut(name), "`"]),
        ),
        None => causes.add(
            requirement,
            &[", which the agent has neither as a skill nor as another document"],
            if is_full {
                ConstMessage::new()
            } else {
                missing_help(look, doc, name)
            },
        ),
    }
}

/// Returns what to do about a missing requirement.
const fn missing_help(look: &Look<'_>, doc: &SkillDoc, name: &str) -> ConstMessage {
    if same(str(&doc.id), name) {
        return ConstMessage::new().push(&["a document cannot require itself"]);
    }
    if let Some(skill) = look.named(name) {
        return mounted_only(skill);
    }
    if let Some(near) = look.near(Names::Skills, name) {
        return did_you_mean(near);
    }
    match look.near(Names::Ids, name) {
        Some(near) if !same(near, str(&doc.id)) => did_you_mean(near),
        _ => ConstMessage::new().push(&["list it with the agent, or take it out of `requires`"]),
    }
}
