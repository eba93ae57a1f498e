//! The agent of the programs in docs/clients.md.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Notes of one person.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "notes", actions(AddNote))]
pub struct Notes {
    lines: Vec<String>,
}

/// Keep a note, and say how many there are.
#[action]
pub fn add_note(notes: &mut Notes, #[arg(length(1..))] text: String) -> usize {
    notes.lines.push(text);
    notes.lines.len()
}

agent! {
    pub struct Assistant {
        name: "assistant",
        skills: [Notes],
    }
}
