//! Checks hand-written skills.

use crate::spec::Provenance;
use crate::{ActionEntry, ActionSpec, Skill};
use skill_agent_grammar::{self as grammar, same};

/// Panics if a hand-written skill is inconsistent.
#[track_caller]
pub(crate) const fn report_handwritten<S: Skill>() {
    let rules = handwritten_rules::<S>();
    let mut i = 0;
    while i < rules.len() {
        assert!(rules[i].is_kept, "{}", rules[i].message);
        i += 1;
    }
}

/// A rule for a hand-written skill.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// The spec's field that the rule is about.
    pub field: &'static str,
    /// Whether the skill keeps the rule.
    pub is_kept: bool,
    /// The rule in words.
    pub message: &'static str,
}

/// Returns the rules for a hand-written skill.
pub const fn handwritten_rules<S: Skill>() -> [Rule; 3] {
    let spec = S::SPEC;
    let is_derived = !spec.provenance.is(Provenance::Hand);
    [
        Rule {
            field: "actions",
            is_kept: lists_agree(spec.actions, S::ACTIONS),
            message: "`SPEC.actions` and `ACTIONS` of a skill have to name the same actions in the same order",
        },
        Rule {
            field: "state_key",
            is_kept: grammar::is_state_key(spec.state_key) || is_derived,
            message: "a state key is a Rust identifier; a name with `-` also needs `.state_key(\"...\")`",
        },
        Rule {
            field: "state_key",
            is_kept: !same(spec.state_key, "skills") || is_derived,
            message: "the state key `skills` is reserved for skills that are mounted at run time; take another one",
        },
    ]
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
