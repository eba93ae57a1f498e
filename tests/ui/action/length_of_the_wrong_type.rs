// A limit of a length is a fraction.
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
fn write(notes: &mut Notes, #[arg(length(-1..=80))] line: String) {
    notes.lines.push(line);
}

fn main() {}
