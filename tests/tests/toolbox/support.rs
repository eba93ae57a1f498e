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

/// A bell.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "bell", actions(Ring))]
pub struct Bell {
    pub rung: u32,
}

/// Ring the bell.
#[action]
pub fn ring(bell: &mut Bell) -> u32 {
    bell.rung += 1;
    bell.rung
}

/// Pages.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "pages", actions(Page), instructions = "A page is long.")]
pub struct Pages {}

/// A page of this many letters.
#[action(read_only)]
pub fn page(_: &Pages, letters: usize) -> String {
    "x".repeat(letters)
}

agent! {
    pub struct Porter {
        name: "porter",
        skills: [Bell],
        mounted: [Pages],
    }
}

pub async fn porter() -> AgentServer<Porter> {
    AgentServer::builder(Porter::new()).start().await.unwrap()
}
