//! A skill library that depends on `skill-core` alone: even serde and schemars come from there. `fixture-speech` clashes
//! with it in every way there is, and neither knows of the other.

use skill_core::schemars::JsonSchema;
use skill_core::serde::{Deserialize, Serialize};
use skill_core::{Context, Signal, Skill, action, serde_json::json};

/// A conversation in writing.
#[derive(Skill, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, crate = "skill_core::serde")]
#[schemars(crate = "skill_core::schemars")]
#[skill(
    name = "chat",
    version = "0.1.0",
    config = ChatConfig,
    signals("chat.**"),
    actions(Say, History)
)]
pub struct Chat {
    /// What was said, oldest first.
    pub lines: Vec<String>,
}

/// What an agent may set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, crate = "skill_core::serde")]
#[schemars(crate = "skill_core::schemars")]
pub struct ChatConfig {
    /// How many lines are kept.
    pub limit: usize,
    /// What stands before each line.
    pub greeting: String,
}

impl Default for ChatConfig {
    fn default() -> Self {
        Self {
            limit: 100,
            greeting: String::new(),
        }
    }
}

/// Say something; gives the number of lines that are kept.
#[action(on("chat.say"))]
pub fn say(
    chat: &mut Chat,
    cx: &mut Context<Chat>,
    /// What to say.
    line: String,
) -> usize {
    let line = format!("{}{line}", cx.config().greeting);
    chat.lines.push(line.clone());
    if chat.lines.len() > cx.config().limit {
        chat.lines.remove(0);
    }
    cx.emit(Signal::new("chat.said", json!({ "line": line })));
    chat.lines.len()
}

/// Everything that was said, oldest first.
#[action]
pub fn history(chat: &Chat) -> Vec<String> {
    chat.lines.clone()
}
