// Two actions of one skill have the same tool name.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Remembers notes.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "notes", actions(Write, Append))]
struct Notes {
    lines: Vec<String>,
}

/// Write a note.
#[action]
fn write(notes: &mut Notes, line: String) {
    notes.lines.push(line);
}

/// Write to the end of the last note.
#[action(name = "write")]
fn append(notes: &mut Notes, text: String) {
    notes.lines.extend([text]);
}

fn main() {}
