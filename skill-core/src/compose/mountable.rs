//! Telling what is wrong with a skill of `mounted: [...]`, at its token.

use super::beside::{Beside, By};
use super::clash::{circle, short, version};
use super::examine::{ASYNC, BASE_FIELD, CIRCLE, Flags, NAME, REQUIREMENT, STATE_KEY, TOOL};
use super::requirement;
use super::sentence::{Text, same};
use crate::SkillSpec;

/// Panics, in const evaluation, when the skill at `index` of `mounted` was flagged. `agent!` calls it at the skill's own
/// token.
#[track_caller]
pub const fn tell_mountable<const N: usize>(all: &Beside, flags: &[Flags; N], index: usize) {
    let flags = flags[index];
    if flags == 0 {
        return;
    }
    let at = all.len() - N + index;
    let mut text = Text::new();
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
        text = text.also().say(&[
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
        text = circle::<N>(text, &all.mountable::<N>(0), 0, index);
    }
    if flags & ASYNC != 0 {
        text = async_actions(text, all.skill(at));
    }
    panic!("{}", text.as_str());
}

/// The first skill before the one at `at` with the same name or key.
const fn earlier(all: &Beside, by: By, at: usize) -> usize {
    let mut other = 0;
    while !same(by.of(all.skill(other)), by.of(all.skill(at))) {
        other += 1;
    }
    other
}

const fn name(text: Text, all: &Beside, at: usize) -> Text {
    let other = earlier(all, By::Name, at);
    let (one, two) = (all.skill(other), all.skill(at));
    if same(one.type_path, two.type_path) && one.alias_of.is_none() {
        let list = if all.is_listed(other) {
            "skills"
        } else {
            "mounted"
        };
        return text.also().say(&[
            "the skill `",
            two.type_path,
            "` is in `",
            list,
            ": [...]` already; take one of them out",
        ]);
    }
    let text = text.also().say(&[
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

const fn state_key(text: Text, all: &Beside, at: usize) -> Text {
    let other = earlier(all, By::StateKey, at);
    let (one, two) = (all.skill(other), all.skill(at));
    let text = text.also().say(&[
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
const fn cure(text: Text, all: &Beside, other: usize, else_: &str) -> Text {
    if !all.is_listed(other) {
        return text.say(&[else_]);
    }
    text.say(&[
        "list the one in `skills: [...]` under another name: `",
        short(all.skill(other).type_path),
        " as ...`",
    ])
}

const fn tool(mut text: Text, all: &Beside, at: usize) -> Text {
    let skill = all.skill(at);
    let mut a = 0;
    while a < skill.actions.len() {
        if let Some(other) = all.action(skill.actions[a].name) {
            text = text.also().say(&[
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

const fn requirements(mut text: Text, all: &Beside, at: usize) -> Text {
    let skill = all.skill(at);
    let mut r = 0;
    while r < skill.requires.len() {
        let (name, wanted) = requirement::split(skill.requires[r]);
        match (found(all, name), wanted) {
            (None, _) => {
                text = text.also().say(&[
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
const fn async_actions(mut text: Text, skill: &SkillSpec) -> Text {
    let mut a = 0;
    while a < skill.actions.len() {
        if skill.actions[a].effectful {
            text = text.also().say(&[
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
const fn found(all: &Beside, name: &str) -> Option<&'static SkillSpec> {
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
