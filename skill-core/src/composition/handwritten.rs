//! Checks of hand-written skills.

use crate::spec::Provenance;
use crate::{ActionEntry, ActionSpec, Skill};
use skill_agent_grammar::{self as grammar, same};

/// Panics if a hand-written skill is inconsistent.
#[track_caller]
pub(crate) const fn report_handwritten<S: Skill>() {
    let spec = S::SPEC;
    assert!(
        lists_agree(spec.actions, S::ACTIONS),
        "`SPEC.actions` and `ACTIONS` of a skill have to name the same actions in the same order"
    );
    assert!(
        grammar::is_state_key(spec.state_key) || !spec.provenance.is(Provenance::Hand),
        "a state key is a Rust identifier; a name with `-` also needs `.state_key(\"...\")`"
    );
    assert!(
        !same(spec.state_key, "skills") || !spec.provenance.is(Provenance::Hand),
        "the state key `skills` is reserved for skills that are mounted at run time; take another one"
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
