//! The messages about clashes. Each one describes the mistake, the place of the other skill, and a fix.

use crate::SkillSpec;
use crate::composition::examine::{RouteAt, pattern_of, route_slot};
use crate::composition::members::{Members, NameKind};
use crate::composition::messages::const_message::ConstMessage;
use skill_agent_grammar::{LONGEST_NAME, same, short};

/// Appends the message about a name or a state key that an earlier skill has too.
pub(super) const fn shared(
    text: ConstMessage,
    all: &Members<'_>,
    kind: NameKind,
    at: usize,
) -> ConstMessage {
    let Some(other) = all.earlier(kind, at) else {
        return text;
    };
    let (one, two) = (all.skill(other), all.skill(at));
    let is_name = matches!(kind, NameKind::Name);
    let is_listed = all.is_listed(other);
    if is_name && !all.is_listed(at) && same(one.type_path, two.type_path) && one.alias_of.is_none()
    {
        let list = if is_listed { "skills" } else { "mounted" };
        return text.also(
            "the skill `{}` is already in `{}: [...]`; remove one of them",
            &[two.type_path, list],
        );
    }
    let (name, what, otherwise) = if is_name {
        let what = "two skills have the name `{}`: `{}` and `{}`; ";
        (two.name, what, "remove one of them")
    } else {
        let what = "two skills keep their state under `{}`: `{}` and `{}`; ";
        (two.state_key, what, "give one of them another `state_key`")
    };
    let text = text.also(what, &[name, one.type_path, two.type_path]);
    if all.is_listed(at) {
        text.fill(
            "list one of them under another name: `{} as ...`",
            &[short(two.type_path)],
        )
    } else if is_listed {
        text.fill(
            "list the one in `skills: [...]` under another name: `{} as ...`",
            &[short(one.type_path)],
        )
    } else {
        text.push(&[otherwise])
    }
}

pub(super) const fn base_field(text: ConstMessage, all: &Members<'_>, at: usize) -> ConstMessage {
    let skill = all.skill(at);
    let (key, ty) = (skill.state_key, skill.type_path);
    if !all.is_listed(at) {
        return text.also(
            "the state key `{}` of `{}` is also a base field in `state: { ... }`; rename the field",
            &[key, ty],
        );
    }
    text.also(
        "the state key `{}` of `{}` is also the base field `{}` in `state: { ... }`; rename the field, or list the skill under another name: `{} as ...`",
        &[key, ty, key, short(ty)],
    )
}

/// Appends a message for each of a skill's tools whose name one of the agent's other actions has.
pub(super) const fn tools(mut text: ConstMessage, all: &Members<'_>, at: usize) -> ConstMessage {
    let (ty, actions, agent) = (all.skill(at).type_path, all.actions(at), all.agent);
    let mut a = 0;
    while a < actions.len() {
        let (name, own) = (actions[a].name, actions[a].type_path);
        if let Some(other) = all.same_action(at, a, name) {
            let owner = &agent.skills[other.skill as usize];
            let first = owner.actions[other.action as usize].type_path;
            let of = if other.skill == 0 {
                "the agent itself"
            } else {
                "the skill"
            };
            text = if all.is_listed(at) {
                text.also(
                    "two actions have the tool name `{}`: `{}` of {} `{}` and `{}` of the skill `{}`; give one of them another `name` in `#[action]`, or list its skill under another name: `{} as ...`",
                    &[name, first, of, owner.type_path, own, ty, short(ty)],
                )
            } else {
                text.also(
                    "two actions have the tool name `{}`: `{}` of this agent and `{}` of the skill `{}`; give one of them another `name` in `#[action]`, or list the skill of the first under another name: `... as ...`",
                    &[name, first, own, ty],
                )
            };
        }
        a += 1;
    }
    text
}

pub(super) const fn too_long(mut text: ConstMessage, all: &Members<'_>, at: usize) -> ConstMessage {
    let (skill, actions) = (all.skill(at), all.actions(at));
    let mut a = 0;
    while a < actions.len() {
        if actions[a].name.len() > LONGEST_NAME {
            text = text.also(
                "the tool name `{}` has more than 64 characters, which model providers refuse; take a shorter name than `{}` for `{}`",
                &[actions[a].name, skill.name, skill.type_path],
            );
        }
        a += 1;
    }
    text
}

/// Appends a message for each async action. Async actions need resources, which only listed skills have.
pub(super) const fn async_actions(mut text: ConstMessage, skill: &SkillSpec) -> ConstMessage {
    let mut a = 0;
    while a < skill.actions.len() {
        if skill.actions[a].is_async {
            text = text.also(
                "the action `{}` of the skill `{}` is async, and only listed skills have resources; move the skill to `skills: [...]`",
                &[skill.actions[a].type_path, skill.type_path],
            );
        }
        a += 1;
    }
    text
}

/// Appends a message for each of a skill's routes whose pattern and priority an earlier route has.
pub(super) const fn routes(
    mut text: ConstMessage,
    skills: &[SkillSpec],
    table: &[Option<RouteAt>],
    at: usize,
) -> ConstMessage {
    let skill = &skills[at];
    let mut a = 0;
    while a < skill.actions.len() {
        let own = &skill.actions[a];
        let mut r = 0;
        while r < own.routes.len() {
            let slot = route_slot(table, skills, skill, &own.routes[r]);
            if let Some([s, action, route]) = table[slot]
                && !(s == at && action == a && route == r)
            {
                let (first, rest) = pattern_of(skill, &own.routes[r]);
                let (other, ty) = (skills[s].actions[action].type_path, skills[s].type_path);
                text = text.also(
                    "two actions are routed from `{}{}` with one priority: `{}` of `{}` and `{}` of `{}`; give one of them another signal type or `priority` in `on(...)`",
                    &[first, rest, other, ty, own.type_path, skill.type_path],
                );
            }
            r += 1;
        }
        a += 1;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ActionSpec;
    use crate::composition::tables::{AgentTables, TableStorage};
    use std::sync::OnceLock;

    #[test]
    fn a_name_that_is_too_long_is_that_of_its_own_skill() {
        let long = "a".repeat(LONGEST_NAME + 1).leak();
        let skills = [&["own"][..], &["one", "two"], &["three", long]].map(|names| {
            let actions: Vec<_> = names.iter().map(|name| ActionSpec::nothing(name)).collect();
            let mut skill = SkillSpec::new("skill");
            skill.actions = actions.leak();
            skill
        });
        static SCHEMA: OnceLock<schemars::Schema> = OnceLock::new();
        let skills: &[_] = Box::leak(Box::new(skills));
        let storage: &TableStorage<5, 5, 16> = Box::leak(Box::new(TableStorage::new(skills)));
        let tables: AgentTables = storage.tables(skills, &[], &SCHEMA);
        let text = |at| too_long(ConstMessage::new(), &Members::of(&tables), at);
        assert_eq!(text(1).as_str(), "");
        let expected = format!("the tool name `{long}` has more than 64 characters");
        assert!(
            text(2).as_str().starts_with(&expected),
            "{}",
            text(2).as_str()
        );
    }
}
