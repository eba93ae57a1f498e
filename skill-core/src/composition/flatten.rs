//! The tables of an agent, built from the specs of its skills.

use crate::spec::Provenance;
use crate::{ActionEntry, ActionSpec, Agent, Skill, SkillOf, SkillSpec, Tool};
use skill_agent_grammar::{self as grammar, same};

/// The spec of an instance: as its author wrote it, or under the alias the agent gives it. `prefixed` holds the tool names
/// of an aliased one, one after another.
#[track_caller]
pub const fn listed_spec<G: Agent, S: SkillOf<G, AT>, const AT: usize>(
    prefixed: &'static str,
) -> SkillSpec {
    let mut spec = S::SPEC;
    report_handwritten::<S>();
    if let Some(alias) = S::ALIAS {
        spec.alias_of = Some(spec.name);
        spec.name = alias;
        spec.state_key = alias;
        spec.prefixed = prefixed;
    }
    spec
}

/// Panics when a skill that was written by hand contradicts itself.
#[track_caller]
pub(crate) const fn report_handwritten<S: Skill>() {
    let spec = S::SPEC;
    assert!(
        lists_agree(spec.actions, S::ACTIONS),
        "`SPEC.actions` and `ACTIONS` of a skill have to name the same actions in the same order"
    );
    assert!(
        grammar::is_state_key(spec.state_key) || !spec.provenance.is(Provenance::Hand),
        "a state key is a Rust identifier; a name with `-` needs `.state_key(\"...\")` beside it"
    );
    assert!(
        !same(spec.state_key, "skills") || !spec.provenance.is(Provenance::Hand),
        "the state key `skills` is kept for skills that are mounted at run time; take another one"
    );
}

const fn lists_agree<S: Skill>(specs: &[ActionSpec], entries: &[ActionEntry<S>]) -> bool {
    if specs.len() != entries.len() {
        return false;
    }
    let mut i = 0;
    while i < specs.len() {
        let entry = &entries[i].spec;
        if !same(specs[i].name, entry.name) || !same(specs[i].type_path, entry.type_path) {
            return false;
        }
        i += 1;
    }
    true
}

/// How many bytes the tool names of an aliased instance take.
pub const fn prefixed_length<G: Agent, S: SkillOf<G, AT>, const AT: usize>() -> usize {
    let (alias, actions) = (alias::<G, S, AT>(), S::SPEC.actions);
    let mut length = 0;
    let mut i = 0;
    while i < actions.len() {
        length += alias.len() + 1 + actions[i].name.len();
        i += 1;
    }
    length
}

/// The tool names of an aliased instance, one after another: `calc_addcalc_multiply`.
pub const fn prefixed<G: Agent, S: SkillOf<G, AT>, const AT: usize, const LENGTH: usize>()
-> [u8; LENGTH] {
    let (alias, actions) = (alias::<G, S, AT>(), S::SPEC.actions);
    let mut bytes = [0; LENGTH];
    let mut length = 0;
    let mut i = 0;
    while i < actions.len() {
        length = append(&mut bytes, length, alias);
        length = append(&mut bytes, length, "_");
        length = append(&mut bytes, length, actions[i].name);
        i += 1;
    }
    bytes
}

const fn alias<G: Agent, S: SkillOf<G, AT>, const AT: usize>() -> &'static str {
    match S::ALIAS {
        Some(alias) => alias,
        None => "",
    }
}

/// Names are ASCII; a spec refuses others.
pub const fn text(bytes: &'static [u8]) -> &'static str {
    match core::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(_) => "",
    }
}

const fn append(bytes: &mut [u8], mut length: usize, text: &str) -> usize {
    let text = text.as_bytes();
    let mut i = 0;
    while i < text.len() {
        bytes[length] = text[i];
        length += 1;
        i += 1;
    }
    length
}

/// How many actions the skills have.
pub const fn action_count(skills: &[SkillSpec]) -> usize {
    let mut count = 0;
    let mut i = 0;
    while i < skills.len() {
        count += skills[i].actions.len();
        i += 1;
    }
    count
}

/// Every action under the name it has in the agent.
pub const fn actions<const N: usize>(skills: &[SkillSpec]) -> [ActionSpec; N] {
    let mut list = [ActionSpec::nothing(""); N];
    let mut n = 0;
    let mut i = 0;
    while i < skills.len() {
        let mut names = skills[i].prefixed;
        let mut j = 0;
        while j < skills[i].actions.len() {
            list[n] = skills[i].actions[j];
            if !names.is_empty() {
                let length = skills[i].name.len() + 1 + list[n].name.len();
                let (name, rest) = names.split_at(length);
                list[n].name = name;
                names = rest;
            }
            n += 1;
            j += 1;
        }
        i += 1;
    }
    list
}

/// For every action, the place of its skill and its own place in that skill.
pub const fn addresses<const N: usize>(skills: &[SkillSpec]) -> [(u32, u32); N] {
    let mut list = [(0, 0); N];
    let mut n = 0;
    let mut i = 0;
    while i < skills.len() {
        let mut j = 0;
        while j < skills[i].actions.len() {
            list[n] = (i as u32, j as u32);
            n += 1;
            j += 1;
        }
        i += 1;
    }
    list
}

/// How many actions a model may call.
pub const fn tool_count(actions: &[ActionSpec]) -> usize {
    let mut count = 0;
    let mut i = 0;
    while i < actions.len() {
        if !actions[i].internal {
            count += 1;
        }
        i += 1;
    }
    count
}

/// What a model is shown.
pub const fn tools<const N: usize>(actions: &[ActionSpec]) -> [Tool<'static>; N] {
    let mut list = [Tool::of(&ActionSpec::nothing("")); N];
    let mut n = 0;
    let mut i = 0;
    while i < actions.len() {
        if !actions[i].internal {
            list[n] = Tool::of(&actions[i]);
            n += 1;
        }
        i += 1;
    }
    list
}

/// The specs of the skills, without the agent itself, which stands first.
pub const fn skill_specs(all: &'static [SkillSpec]) -> &'static [SkillSpec] {
    all.split_at(1).1
}

/// The place of an instance in the list; for agents whose list depends on `#[cfg]`.
pub const fn index_of<G: Agent, S: SkillOf<G, AT>, const AT: usize>(skills: &[SkillSpec]) -> usize {
    let name = match S::ALIAS {
        Some(alias) => alias,
        None => S::SPEC.name,
    };
    let mut i = 1;
    while i < skills.len() {
        if same(skills[i].name, name) && same(skills[i].type_path, S::SPEC.type_path) {
            return i;
        }
        i += 1;
    }
    0
}
