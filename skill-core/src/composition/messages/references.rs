//! Messages about references in instructions that do not resolve to exactly one tool.

use crate::composition::messages::const_message::ConstMessage;
use crate::composition::references::{Found, ToolOf, find, is_incomplete, requires};
use crate::{Skill, SkillSpec};
use skill_agent_grammar::{LIKELY, TextPieces, likeness, same, short};

/// Panics if a reference in the instructions of a skill without requirements does not resolve to exactly one tool.
/// `#[derive(Skill)]` calls this at the instructions.
#[track_caller]
pub const fn report_references<S: Skill>() {
    let text = references(ConstMessage::new(), &S::SPEC, &[]);
    if !text.is_empty() {
        panic!("{}", text.as_str());
    }
}

/// Appends a message for each reference of the skill that does not resolve to exactly one tool. `others` are the other skills of
/// its agent.
pub(crate) const fn references(
    mut text: ConstMessage,
    skill: &SkillSpec,
    others: &[SkillSpec],
) -> ConstMessage {
    let Some(instructions) = skill.instructions else {
        return text;
    };
    let mut pieces = TextPieces::of(instructions);
    let mut at = 0;
    while let Some(piece) = pieces.next_piece() {
        if piece.is_reference && !is_earlier(instructions, at, piece.text) {
            text = reference(text, skill, others, piece.text);
        }
        at += 1;
    }
    text
}

/// Returns whether one of the first `pieces` pieces is the same reference, and was therefore already reported.
const fn is_earlier(instructions: &str, pieces: usize, name: &str) -> bool {
    let mut earlier = TextPieces::of(instructions);
    let mut at = 0;
    while at < pieces
        && let Some(piece) = earlier.next_piece()
    {
        if piece.is_reference && same(piece.text, name) {
            return true;
        }
        at += 1;
    }
    false
}

/// Appends the message for a reference, unless it resolves to exactly one tool.
pub(crate) const fn reference(
    text: ConstMessage,
    skill: &SkillSpec,
    others: &[SkillSpec],
    name: &str,
) -> ConstMessage {
    match find(skill, others, name) {
        Found::One(_) => text,
        Found::Two(one, two) => ambiguous(introduced(text, skill, name), &one, &two, name),
        _ if is_incomplete(skill, others) => text,
        Found::Internal => introduced(text, skill, name).fill(
            "an internal action, which models cannot call; name another action, remove `internal`, or write `{{{}}}` for the text `{{}}`",
            &[name, name],
        ),
        Found::Nothing => {
            let text = introduced(text, skill, name);
            let text = if skill.requires.is_empty() {
                text.push(&["no action of the skill"])
            } else {
                text.push(&["an action neither of the skill nor of those that it requires"])
            };
            match nearest(skill, others, name) {
                Some(near) => text.fill("; did you mean `{{}}`?", &[near]),
                None => text.fill(
                    "; name its skill in `requires`, or write `{{{}}}` for the text `{{}}`",
                    &[name, name],
                ),
            }
        }
    }
}

const fn introduced(text: ConstMessage, skill: &SkillSpec, name: &str) -> ConstMessage {
    let args = [name, skill.type_path];
    text.also("`{{}}` in the instructions of `{}` is ", &args)
}

const fn ambiguous(
    text: ConstMessage,
    one: &ToolOf<'_>,
    two: &ToolOf<'_>,
    name: &str,
) -> ConstMessage {
    let (first, second) = (one.name(), two.name());
    let text = text
        .push(&["the struct of two tools, `"])
        .push(&first)
        .push(&["` and `"])
        .push(&second);
    if same(one.skill.name, two.skill.name) {
        return text.push(&["`; rename the function of one of them"]);
    }
    text.fill(
        "` of the skills `{}` and `{}`; list one of them only, or write the name of a tool instead of `{{}}`",
        &[one.skill.name, two.skill.name, name],
    )
}

/// Returns the struct of the tool that the reference probably means.
pub(crate) const fn nearest<'a>(
    skill: &'a SkillSpec,
    others: &'a [SkillSpec],
    name: &str,
) -> Option<&'a str> {
    let (mut best, mut most) = nearest_of(skill, name, (None, LIKELY));
    let mut i = 0;
    while i < others.len() {
        if requires(skill, &others[i]) {
            (best, most) = nearest_of(&others[i], name, (best, most));
        }
        i += 1;
    }
    best
}

/// Returns the action of a skill that is most similar to `name`, or the earlier candidate if that is more similar.
const fn nearest_of<'a>(
    skill: &'a SkillSpec,
    name: &str,
    earlier: (Option<&'a str>, f64),
) -> (Option<&'a str>, f64) {
    let (mut best, mut most) = earlier;
    let mut i = 0;
    while i < skill.actions.len() {
        let action = &skill.actions[i];
        let candidate = short(action.type_path);
        // the author may have written the tool's name instead of the struct's
        let (as_struct, as_tool) = (likeness(name, candidate), likeness(name, action.name));
        let likeness = if as_tool > as_struct {
            as_tool
        } else {
            as_struct
        };
        if !action.internal && likeness > most {
            (best, most) = (Some(candidate), likeness);
        }
        i += 1;
    }
    (best, most)
}
