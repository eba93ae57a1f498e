// Text is taken as `impl Into<String>`, but a schema needs one type.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Remembers notes.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "notes", actions(Write))]
struct Notes {
    lines: Vec<String>,
}

/// Write a note.
#[action]
fn write(notes: &mut Notes, line: impl Into<String>) {
    notes.lines.push(line.into());
}

fn main() {}
