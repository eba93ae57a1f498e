// The first parameter is a reference to a type that is not a skill.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Remembers notes.
#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
struct Notes {
    lines: Vec<String>,
}

/// Write a note.
#[action]
fn write(notes: &mut Notes, line: String) {
    notes.lines.push(line);
}

fn main() {}
