//! The skill `notes`.

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
pub(crate) struct Notes {
    /// The notes in their order.
    lines: Vec<String>,
}

/// Keep a note, and say how many there are.
#[action]
pub(crate) fn add_note(notes: &mut Notes, text: String) -> usize {
    notes.lines.push(text);
    notes.lines.len()
}

/// All notes.
#[action(read_only)]
pub(crate) fn list_notes(notes: &Notes) -> Vec<String> {
    notes.lines.clone()
}

/// Throw all notes away.
#[action(destructive)]
pub(crate) fn clear_notes(notes: &mut Notes) {
    notes.lines.clear();
}
