//! Messages about clashes of a skill in `mounted: [...]`, reported at its token.

use crate::SkillSpec;
use crate::composition::effects::{data_flow, forbidden_of_skill, with_skill};
use crate::composition::flags::{
    ASYNC, BASE_FIELD, CYCLE, DATA_FLOW, FORBIDDEN, Flags, NAME, REQUIREMENT, STATE_KEY, TOOL,
};
use crate::composition::messages::clashes::short;
use crate::composition::messages::const_message::ConstMessage;
use crate::composition::messages::requirements::{cycle, version};
use crate::composition::mountable::NameKind;
use crate::composition::tables::AgentTables;
use skill_agent_grammar::{same, split};

/// Panics in const evaluation if the skill at `index` of `mounted` has flags. `agent!` calls this at the skill's token.
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
    if flags & CYCLE != 0 {
        text = cycle::<N>(text, &all.mountable_at::<N>(0), 0, index);
    }
    if flags & ASYNC != 0 {
        text = async_actions(text, all.skill(at));
    }
    if flags & FORBIDDEN != 0 {
        text = forbidden_of_skill(text, &all.spec, all.skill(at));
    }
    if flags & DATA_FLOW != 0 {
        text = with_skill(data_flow(all), all.skill(at)).text(text, &all.spec);
    }
    panic!("{}", text.as_str());
}

/// Returns the index of the first skill with the same name or state key as the skill at `at`.
const fn earlier_with_same(all: &AgentTables, kind: NameKind, at: usize) -> usize {
    let mut other = 0;
    while !same(kind.of(all.skill(other)), kind.of(all.skill(at))) {
        other += 1;
    }
    other
}

const fn name(text: ConstMessage, all: &AgentTables, at: usize) -> ConstMessage {
    let other = earlier_with_same(all, NameKind::Name, at);
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
            "` is already in `",
            list,
            ": [...]`; remove one of them",
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
    suggest_rename(text, all, other, "remove one of them")
}

const fn state_key(text: ConstMessage, all: &AgentTables, at: usize) -> ConstMessage {
    let other = earlier_with_same(all, NameKind::StateKey, at);
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
    suggest_rename(text, all, other, "give one of them another `state_key`")
}

/// Appends the fix: an alias if the other skill is listed, and `otherwise` if not.
const fn suggest_rename(
    text: ConstMessage,
    all: &AgentTables,
    other: usize,
    otherwise: &str,
) -> ConstMessage {
    if !all.is_listed(other) {
        return text.push(&[otherwise]);
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
        match (find_skill(all, name), wanted) {
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

/// Appends a message for each async action. Async actions need resources, which only listed skills have.
const fn async_actions(mut text: ConstMessage, skill: &SkillSpec) -> ConstMessage {
    let mut a = 0;
    while a < skill.actions.len() {
        if skill.actions[a].is_async {
            text = text.separate().push(&[
                "the action `",
                skill.actions[a].type_path,
                "` of the skill `",
                skill.type_path,
                "` is async, and only listed skills have resources; move the skill to `skills: [...]`",
            ]);
        }
        a += 1;
    }
    text
}

/// Returns the skill called `name`, by its alias or else by the name in its spec.
const fn find_skill(all: &AgentTables, name: &str) -> Option<&'static SkillSpec> {
    let mut kinds = [NameKind::Name, NameKind::DeclaredName].as_slice();
    while let [kind, rest @ ..] = kinds {
        let mut i = 0;
        while i < all.len() {
            if same(kind.of(all.skill(i)), name) {
                return Some(all.skill(i));
            }
            i += 1;
        }
        kinds = rest;
    }
    None
}
