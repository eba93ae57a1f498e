// Two actions of one skill have the same route with the same priority.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Remembers notes.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "notes", actions(Write, Clear))]
struct Notes {
    lines: Vec<String>,
}

/// Write a note.
#[action(on("notes.changed"))]
fn write(notes: &mut Notes, line: String) {
    notes.lines.push(line);
}

/// Throw all notes away.
#[action(on("notes.changed"))]
fn clear(notes: &mut Notes) {
    notes.lines.clear();
}

fn main() {}
