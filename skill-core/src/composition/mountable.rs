//! Telling what is wrong with a skill of `mounted: [...]`, at its token.

use super::examine::{ASYNC, BASE_FIELD, CIRCLE, Flags, NAME, REQUIREMENT, STATE_KEY, TOOL};
use super::message::ConstMessage;
use super::messages::{circle, short, version};
use super::mountable_checks::By;
use super::tables::AgentTables;
use crate::SkillSpec;
use skill_agent_grammar::{same, split};

/// Panics, in const evaluation, when the skill at `index` of `mounted` was flagged. `agent!` calls it at the skill's own
/// token.
#[track_caller]
pub const fn report_mountable<const N: usize>(all: &AgentTables, flags: &[Flags; N], index: usize) {
    let flags = flags[index];
    if flags == 0 {
        return;
    }
    let at = all.len() - N + index;
    let mut text = ConstMessage::new();
    if flags & NAME != 0 {
        text = name(text, all, at);
    } else {
        if flags & STATE_KEY != 0 {
            text = state_key(text, all, at);
        }
        if flags & TOOL != 0 {
            text = tool(text, all, at);
        }
    }
    if flags & BASE_FIELD != 0 {
        let skill = all.skill(at);
        text = text.separate().push(&[
            "the state key `",
            skill.state_key,
            "` of `",
            skill.type_path,
            "` is also a base field in `state: { ... }`; rename the field",
        ]);
    }
    if flags & REQUIREMENT != 0 {
        text = requirements(text, all, at);
    }
    if flags & CIRCLE != 0 {
        text = circle::<N>(text, &all.mountable_at::<N>(0), 0, index);
    }
    if flags & ASYNC != 0 {
        text = async_actions(text, all.skill(at));
    }
    panic!("{}", text.as_str());
}

/// The first skill before the one at `at` with the same name or key.
const fn earlier(all: &AgentTables, by: By, at: usize) -> usize {
    let mut other = 0;
    while !same(by.of(all.skill(other)), by.of(all.skill(at))) {
        other += 1;
    }
    other
}

const fn name(text: ConstMessage, all: &AgentTables, at: usize) -> ConstMessage {
    let other = earlier(all, By::Name, at);
    let (one, two) = (all.skill(other), all.skill(at));
    if same(one.type_path, two.type_path) && one.alias_of.is_none() {
        let list = if all.is_listed(other) {
            "skills"
        } else {
            "mounted"
        };
        return text.separate().push(&[
            "the skill `",
            two.type_path,
            "` is in `",
            list,
            ": [...]` already; take one of them out",
        ]);
    }
    let text = text.separate().push(&[
        "two skills have the name `",
        two.name,
        "`: `",
        one.type_path,
        "` and `",
        two.type_path,
        "`; ",
    ]);
    cure(text, all, other, "take one of them out")
}

const fn state_key(text: ConstMessage, all: &AgentTables, at: usize) -> ConstMessage {
    let other = earlier(all, By::StateKey, at);
    let (one, two) = (all.skill(other), all.skill(at));
    let text = text.separate().push(&[
        "two skills keep their state under `",
        two.state_key,
        "`: `",
        one.type_path,
        "` and `",
        two.type_path,
        "`; ",
    ]);
    cure(text, all, other, "give one of them another `state_key`")
}

/// A skill of `skills` can take another name, one of `mounted` cannot.
const fn cure(text: ConstMessage, all: &AgentTables, other: usize, else_: &str) -> ConstMessage {
    if !all.is_listed(other) {
        return text.push(&[else_]);
    }
    text.push(&[
        "list the one in `skills: [...]` under another name: `",
        short(all.skill(other).type_path),
        " as ...`",
    ])
}

const fn tool(mut text: ConstMessage, all: &AgentTables, at: usize) -> ConstMessage {
    let skill = all.skill(at);
    let mut a = 0;
    while a < skill.actions.len() {
        if let Some(other) = all.action(skill.actions[a].name) {
            text = text.separate().push(&[
                "two actions have the tool name `",
                skill.actions[a].name,
                "`: `",
                all.actions[other].type_path,
                "` of this agent and `",
                skill.actions[a].type_path,
                "` of the skill `",
                skill.type_path,
                "`; give one of them another `name` in `#[action]`, or list the skill of the first under another name: `... as ...`",
            ]);
        }
        a += 1;
    }
    text
}

const fn requirements(mut text: ConstMessage, all: &AgentTables, at: usize) -> ConstMessage {
    let skill = all.skill(at);
    let mut r = 0;
    while r < skill.requires.len() {
        let (name, wanted) = split(skill.requires[r]);
        match (found(all, name), wanted) {
            (None, _) => {
                text = text.separate().push(&[
                    "`",
                    skill.type_path,
                    "` requires the skill `",
                    name,
                    "`, which this agent neither has nor may mount; add it to `skills: [...]` or `mounted: [...]`",
                ]);
            }
            (Some(other), Some(wanted)) => {
                text = version(text, skill, name, wanted, other);
            }
            (Some(_), None) => {}
        }
        r += 1;
    }
    text
}

/// Resources are given to the skills of the list.
const fn async_actions(mut text: ConstMessage, skill: &SkillSpec) -> ConstMessage {
    let mut a = 0;
    while a < skill.actions.len() {
        if skill.actions[a].is_async {
            text = text.separate().push(&[
                "the action `",
                skill.actions[a].type_path,
                "` of the skill `",
                skill.type_path,
                "` is async, and resources are for the skills of the list alone; move the skill to `skills: [...]`",
            ]);
        }
        a += 1;
    }
    text
}

/// The skill that a requirement names.
const fn found(all: &AgentTables, name: &str) -> Option<&'static SkillSpec> {
    let mut by = [By::Name, By::DeclaredName].as_slice();
    while let [first, rest @ ..] = by {
        let mut i = 0;
        while i < all.len() {
            if same(first.of(all.skill(i)), name) {
                return Some(all.skill(i));
            }
            i += 1;
        }
        by = rest;
    }
    None
}
