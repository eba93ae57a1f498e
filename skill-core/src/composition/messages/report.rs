//! Reports clashes at a skill's token.

use crate::Skill;
use crate::composition::effects::{data_flow, push_forbidden, with_skill};
use crate::composition::examine::{CheckedSkills, route_table};
use crate::composition::flags::*;
use crate::composition::index::{EMPTY, insert, lists_action};
use crate::composition::members::{Members, NameKind};
use crate::composition::messages::clashes::{
    async_actions, base_field, routes, shared, too_long, tools,
};
use crate::composition::messages::const_message::ConstMessage;
use crate::composition::messages::references::references;
use crate::composition::messages::requirements::{cycle, requirements};
use crate::composition::tables::AgentTables;
use crate::policy::ActionOwner;
use crate::spec::Provenance;
use skill_agent_grammar::{same, short};

/// Panics in const evaluation if the skill at `at` breaks a rule. `agent!` calls this at the skill's token.
#[track_caller]
pub const fn report<const N: usize, const ROUTES: usize>(
    agent: &AgentTables,
    checked: &CheckedSkills<N, ROUTES>,
    at: usize,
) {
    if checked.flags[at] == 0 {
        return;
    }
    let all = Members::of(agent);
    let flags = checked.flags[at] & !repeated(&all, checked.flags[at], at);
    let mut text = ConstMessage::new();
    let mut r = 0;
    while r < RULES {
        if flags >> r & 1 != 0 {
            text = clash(text, &all, checked, at, 1 << r);
        }
        r += 1;
    }
    if !text.is_empty() {
        panic!("{}", text.as_str());
    }
}

/// Returns the rules that are broken by a mistake that another rule already reports.
const fn repeated(all: &Members<'_>, flags: Flags, at: usize) -> Flags {
    let mut repeated = 0;
    // two skills with one state key usually also share a name
    if flags & (STATE_KEY | NAME) == STATE_KEY | NAME {
        repeated |= if all.is_listed(at) { NAME } else { STATE_KEY };
    }
    if flags & NAME != 0 {
        repeated |= MOUNTED_TOOL;
    }
    // the tools and routes of a type that is listed twice clash too
    if let Some(other) = all.earlier(NameKind::StateKey, at)
        && same(all.skill(other).type_path, all.skill(at).type_path)
    {
        repeated |= TOOL | ROUTE;
    }
    // the tools of a missing skill are missing too
    if flags & REQUIREMENT != 0 {
        repeated |= REFERENCE;
    }
    repeated
}

/// Appends the message about a broken rule.
const fn clash<const N: usize, const ROUTES: usize>(
    text: ConstMessage,
    all: &Members<'_>,
    checked: &CheckedSkills<N, ROUTES>,
    at: usize,
    rule: Flags,
) -> ConstMessage {
    let (agent, skill) = (all.agent, all.skill(at));
    match rule {
        STATE_KEY => shared(text, all, NameKind::StateKey, at),
        NAME => shared(text, all, NameKind::Name, at),
        MOUNTED_TOOL | TOOL => tools(text, all, at),
        BASE_FIELD => base_field(text, all, at),
        TOO_LONG => too_long(text, all, at),
        ROUTE => routes(text, agent.skills, &checked.routes, at),
        REQUIREMENT => requirements(text, all, at),
        CYCLE => cycle::<N>(text, all, at),
        ASYNC => async_actions(text, skill),
        FORBIDDEN => {
            let owner = ActionOwner::skill(skill.type_path);
            push_forbidden(text, &agent.spec, owner, all.actions(at))
        }
        DATA_FLOW => with_skill(data_flow(agent), skill).text(text, &agent.spec),
        _ => references(text, skill, agent.skills),
    }
}

/// Panics if an action is not in its skill's list. `#[action]` calls this at the function's name.
#[track_caller]
pub const fn report_unlisted<A: crate::Action>() {
    let skill = &<A::Skill as Skill>::SPEC;
    if lists_action(skill, A::SPEC.type_path) {
        return;
    }
    let action = short(A::SPEC.type_path);
    let (owner, fix) = match skill.provenance {
        Provenance::Stub => return,
        Provenance::Agent => ("agent", "write `actions: [..., {}]` in the `agent!` of `"),
        Provenance::Hand => ("skill", "add it to `SPEC` and `ACTIONS` of `"),
        Provenance::Derive => (
            "skill",
            "write `actions(..., {})` in the `#[skill(...)]` of `",
        ),
    };
    let text = ConstMessage::new()
        .fill(
            "the action `{}` is not in the list of its {}; ",
            &[action, owner],
        )
        .fill(fix, &[action])
        .push(&[skill.type_path, "`"]);
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
            text = text.also(
                "two actions have the tool name `{}`: `{}` and `{}`; give one of them another `name` in `#[action]`",
                &[actions[i].name, actions[other].type_path, actions[i].type_path],
            );
        }
        i += 1;
    }
    let skill = [S::SPEC];
    text = routes(text, &skill, &route_table::<ROUTES>(&skill, &mut [0]), 0);
    if !text.is_empty() {
        panic!("{}", text.as_str());
    }
}

/// Returns the capacity of the hash table for one skill's routes.
pub const fn route_room<S: Skill>() -> usize {
    crate::composition::index::route_capacity(&[S::SPEC])
}
