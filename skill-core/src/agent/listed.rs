//! The specs of listed skills under their names in the agent.

use crate::composition::report_handwritten;
use crate::{Agent, SkillOf, SkillSpec};
use skill_agent_grammar::same;

/// Returns an instance's spec, with the alias applied. For an aliased instance, `prefixed` is the concatenation of its tool
/// names.
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

/// Returns the total length of an aliased instance's tool names, in bytes.
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

/// Returns an aliased instance's tool names, concatenated, such as `calc_addcalc_multiply`.
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

/// Converts bytes to a string. Names are ASCII, as the spec checks, so the conversion cannot fail.
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

/// Returns an instance's index in the list, for agents whose list depends on `#[cfg]`.
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
