//! Signals whose types miss their handlers or subscribers.

use skill_core::{Agent, process};

/// A signal type or pattern that begins with the declared name of a skill, which the agent lists only under other names.
pub(crate) struct DeclaredType {
    /// The skill's declared name.
    pub(crate) skill: &'static str,
    /// The skill's names in the agent, each in backticks.
    pub(crate) names: String,
    /// The type or pattern with each of these names.
    pub(crate) spelled: Vec<String>,
}

/// Returns how a type or pattern is spelled in this agent, if it begins with the declared name of a skill under other names.
pub(crate) fn declared_type<G: Agent>(text: &str) -> Option<DeclaredType> {
    let first = text.split('.').next()?;
    let skills = process::skills::<G>();
    let is_listed = skills.iter().any(|spec| spec.name == first);
    if is_listed || process::mountable::<G>(first).is_some() {
        return None;
    }
    let instances = || skills.iter().filter(|spec| spec.declared_name() == first);
    let names: Vec<_> = instances().map(|spec| format!("`{}`", spec.name)).collect();
    let skill = instances().next()?.declared_name();
    Some(DeclaredType {
        skill,
        names: names.join(" and "),
        spelled: instances().map(|spec| spec.spell(text)).collect(),
    })
}

/// Returns whether a pattern begins with the declared name of a skill that the agent lists only under other names.
pub(crate) fn is_declared_name<G: Agent>(pattern: &str) -> bool {
    declared_type::<G>(pattern).is_some()
}

/// Warns of a pattern that matches no signal of a skill, because the agent lists the skill under another name.
pub(crate) fn warn_of_declared_name<G: Agent>(pattern: &str) {
    let Some(declared) = declared_type::<G>(pattern) else {
        return;
    };
    let DeclaredType {
        skill,
        names,
        spelled,
    } = declared;
    let spelled: Vec<_> = spelled.iter().map(|text| format!("`{text}`")).collect();
    tracing::warn!(
        agent = G::SPEC.name,
        pattern,
        "the skill `{skill}` is listed as {names}, so the types of its signals begin with that name; write {}",
        spelled.join(" or ")
    );
}
