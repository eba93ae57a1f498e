//! The agents of the tests.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Notes of one person.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(
    name = "notes",
    actions(AddNote, ListNotes, ClearNotes),
    instructions = "A note is one short sentence."
)]
pub struct Notes {
    pub lines: Vec<String>,
}

/// Keep a note, and say how many there are.
#[action]
pub fn add_note(notes: &mut Notes, text: String) -> usize {
    notes.lines.push(text);
    notes.lines.len()
}

/// All notes.
#[action(read_only)]
pub fn list_notes(notes: &Notes) -> Vec<String> {
    notes.lines.clone()
}

/// Throw all notes away.
#[action(destructive)]
pub fn clear_notes(notes: &mut Notes) {
    notes.lines.clear();
}

agent! {
    pub struct Assistant {
        name: "assistant",
        skills: [Notes],
    }
}

pub async fn assistant() -> AgentServer<Assistant> {
    AgentServer::builder(Assistant::new())
        .start()
        .await
        .unwrap()
}

/// The names of the tools in a list.
pub fn names(list: &skill_agent::toolbox::ToolList) -> Vec<&str> {
    let tools = list.tools.iter();
    tools.map(|listed| listed.tool.name.as_str()).collect()
}
