//! Reports clashes at a skill's token.

use crate::Skill;
use crate::composition::effects::forbidden_actions;
use crate::composition::flags::{
    BASE_FIELD, CYCLE, FORBIDDEN, Flags, NAME, REFERENCE, REQUIREMENT, ROUTE, STATE_KEY, TOO_LONG,
    TOOL,
};
use crate::composition::index::{EMPTY, insert, lists_action};
use crate::composition::messages::clashes::{
    base_field, is_same_type_twice, name, routes, short, state_key, too_long, tools,
};
use crate::composition::messages::const_message::ConstMessage;
use crate::composition::messages::references::references;
use crate::composition::messages::requirements::{cycle, requirements};
use crate::composition::tables::AgentTables;
use crate::spec::Provenance;

/// Panics in const evaluation if the skill at `index` has flags. `agent!` calls this at the skill's token.
#[track_caller]
pub const fn report<const N: usize>(tables: &AgentTables, flags: &[Flags; N], index: usize) {
    let (skills, actions, base) = (tables.skills, tables.actions, tables.base_keys);
    let flags = flags[index];
    if flags == 0 {
        return;
    }
    let mut text = ConstMessage::new();
    if flags & STATE_KEY != 0 {
        text = state_key(text, skills, index);
    }
    // two skills with one state key usually also share a name, which counts as one mistake
    if flags & NAME != 0 && flags & STATE_KEY == 0 {
        text = name(text, skills, index);
    }
    if flags & BASE_FIELD != 0 {
        text = base_field(text, skills, base, index);
    }
    if flags & TOOL != 0 && !is_same_type_twice(skills, flags, index) {
        text = tools(text, skills, actions, index);
    }
    if flags & TOO_LONG != 0 {
        text = too_long(text, skills, actions, index);
    }
    if flags & ROUTE != 0 && !is_same_type_twice(skills, flags, index) {
        text = routes(text, skills, index);
    }
    if flags & REQUIREMENT != 0 {
        text = requirements(text, skills, index);
    }
    if flags & CYCLE != 0 {
        text = cycle::<N>(text, skills, 1, index);
    }
    if flags & FORBIDDEN != 0 {
        text = forbidden_actions(text, tables, index);
    }
    // if a required skill is missing, its tools are missing too, which counts as one mistake
    if flags & REFERENCE != 0 && flags & REQUIREMENT == 0 {
        text = references(text, &skills[index], skills);
    }
    if text.is_empty() {
        return;
    }
    panic!("{}", text.as_str());
}

/// Panics if an action is not in its skill's list. `#[action]` calls this at the function's name.
#[track_caller]
pub const fn report_unlisted<A: crate::Action>() {
    let skill = &<A::Skill as Skill>::SPEC;
    if lists_action(skill, A::SPEC.type_path) {
        return;
    }
    let action = short(A::SPEC.type_path);
    let text = match skill.provenance {
        Provenance::Stub => return,
        Provenance::Agent => ConstMessage::new().push(&[
            "the action `",
            action,
            "` is not in the list of its agent; write `actions: [..., ",
            action,
            "]` in the `agent!` of `",
            skill.type_path,
            "`",
        ]),
        Provenance::Hand => ConstMessage::new().push(&[
            "the action `",
            action,
            "` is not in the list of its skill; add it to `SPEC` and `ACTIONS` of `",
            skill.type_path,
            "`",
        ]),
        Provenance::Derive => ConstMessage::new().push(&[
            "the action `",
            action,
            "` is not in the list of its skill; write `actions(..., ",
            action,
            ")` in the `#[skill(...)]` of `",
            skill.type_path,
            "`",
        ]),
    };
    panic!("{}", text.as_str());
}

/// Panics if two of a skill's actions share a tool name or a route. `#[derive(Skill)]` calls this function. `ACTIONS` and
/// `ROUTES` are the capacities of the hash tables.
#[track_caller]
pub const fn report_skill<S: Skill, const ACTIONS: usize, const ROUTES: usize>() {
    let actions = S::SPEC.actions;
    let mut table = [EMPTY; ACTIONS];
    let mut text = ConstMessage::new();
    let mut i = 0;
    while i < actions.len() {
        if let Some(other) = insert(&mut table, actions, i) {
            text = text.separate().push(&[
                "two actions have the tool name `",
                actions[i].name,
                "`: `",
                actions[other].type_path,
                "` and `",
                actions[i].type_path,
                "`; give one of them another `name` in `#[action]`",
            ]);
        }
        i += 1;
    }
    let skill = [S::SPEC];
    let mut flags = [0];
    crate::composition::examine::routes::<ROUTES>(&skill, &mut flags);
    if flags[0] != 0 {
        text = routes(text, &skill, 0);
    }
    if !text.is_empty() {
        panic!("{}", text.as_str());
    }
}

/// Returns the capacity of the hash table for one skill's routes.
pub const fn route_room<S: Skill>() -> usize {
    crate::composition::index::route_capacity(&[S::SPEC])
}
