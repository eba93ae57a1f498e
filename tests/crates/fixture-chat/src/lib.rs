//! A skill library whose only dependency is `skill-core`, which re-exports serde and schemars. `fixture-speech` clashes
//! with it in every possible way; neither crate depends on the other.

use skill_core::schemars::JsonSchema;
use skill_core::serde::{Deserialize, Serialize};
use skill_core::{Context, Signal, Skill, action, serde_json::json};

/// A written conversation.
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
    /// The lines of the conversation, oldest first.
    pub lines: Vec<String>,
}

/// The configuration of [`Chat`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, crate = "skill_core::serde")]
#[schemars(crate = "skill_core::schemars")]
pub struct ChatConfig {
    /// The maximum number of lines.
    pub limit: usize,
    /// A prefix of each line.
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

/// Say something, and return the number of kept lines.
#[action(on("chat.say"))]
pub fn say(
    chat: &mut Chat,
    cx: &mut Context<Chat>,
    /// The line to say.
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

/// Return all lines, oldest first.
#[action]
pub fn history(chat: &Chat) -> Vec<String> {
    chat.lines.clone()
}
