//! Reports arguments that a skill describes but its action does not have.

use crate::ActionSpec;
use crate::composition::messages::const_message::ConstMessage;
use skill_agent_grammar::{contains, nearest_of, short};

/// Panics in const evaluation if an action has no argument called `name`. `#[derive(Skill)]` calls this at the name's token.
#[track_caller]
pub const fn report_argument(action: &ActionSpec, name: &str) {
    if action.__is_stub() {
        return;
    }
    let text = ConstMessage::new().push(&["`", short(action.type_path), "`"]);
    let Some(known) = action.arguments else {
        let text = text.fill(
            " is written by hand, and only its own schema describes its arguments; describe `{}` there",
            &[name],
        );
        panic!("{}", text.as_str());
    };
    if contains(known, name) {
        return;
    }
    let text = text.push(&[" has no argument `", name, "`; "]);
    let text = match nearest_of(name, known) {
        Some(near) => text.push(&["did you mean `", near, "`?"]),
        None => all(text, known),
    };
    panic!("{}", text.as_str());
}

/// Appends the names of all arguments.
const fn all(mut text: ConstMessage, names: &[&str]) -> ConstMessage {
    if names.is_empty() {
        return text.push(&["it takes none"]);
    }
    text = text.push(&["it has "]);
    let mut i = 0;
    while i < names.len() {
        let separator = if i == 0 { "`" } else { ", `" };
        text = text.push(&[separator, names[i], "`"]);
        i += 1;
    }
    text
}
