//! Signals whose types do not match their handlers or subscribers.

use skill_core::{Agent, process};
use std::sync::OnceLock;

/// A signal type or pattern that starts with a skill's declared name, although the agent lists the skill only under different
/// names.
pub(crate) struct DeclaredType {
    /// The skill's declared name.
    pub(crate) skill: &'static str,
    /// The skill's names in the agent, each in backticks.
    pub(crate) names: String,
    /// The type or pattern, written with each of these names.
    pub(crate) spelled: Vec<String>,
}

/// Returns how to write a type or pattern in this agent, if it starts with the declared name of a skill that the agent lists only
/// under different names.
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

/// The pattern for all types of one segment.
const ONE_SEGMENT: &str = "*";

/// The warnings about a server's subscriptions that were logged. Each is logged only once, because a server may have a subscription
/// for each client.
#[derive(Debug, Default)]
pub(crate) struct PatternWarnings {
    one_segment: OnceLock<()>,
    declared_name: OnceLock<()>,
}

impl PatternWarnings {
    pub(crate) fn warn_once<G: Agent>(&self, pattern: &str) {
        let once = match pattern {
            ONE_SEGMENT => &self.one_segment,
            _ if declared_type::<G>(pattern).is_some() => &self.declared_name,
            _ => return,
        };
        once.get_or_init(|| warn_of_pattern::<G>(pattern));
    }
}

/// Warns about a pattern that matches only types with one segment, or that matches no signal of a skill because the agent lists the
/// skill under a different name.
pub(crate) fn warn_of_pattern<G: Agent>(pattern: &str) {
    if pattern == ONE_SEGMENT {
        tracing::warn!(
            agent = G::SPEC.name,
            pattern,
            "`*` stands for one segment, so this pattern matches `tick` but not `notes.added`; write `**` for all types"
        );
        return;
    }
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
