//! Notes of the person.

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
    /// The notes in their order.
    pub lines: Vec<String>,
}

/// Keep a note. Returns the number of notes.
#[action]
pub fn add_note(
    notes: &mut Notes,
    /// The text to keep.
    #[arg(length(1..=400), example = "The key is under the mat.")]
    text: String,
) -> usize {
    notes.lines.push(text);
    notes.lines.len()
}

/// Return all notes.
#[action(read_only)]
pub fn list_notes(notes: &Notes) -> Vec<String> {
    notes.lines.clone()
}

/// Throw all notes away. Returns the number of notes that there were.
#[action(destructive)] // a person is asked before the model may do this
pub fn clear_notes(notes: &mut Notes) -> usize {
    std::mem::take(&mut notes.lines).len()
}
