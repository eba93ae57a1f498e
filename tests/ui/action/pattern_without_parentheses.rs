// The regular expression is written after `=` instead of in parentheses.
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
fn write(notes: &mut Notes, #[arg(pattern = "^[a-z]+$")] line: String) {
    notes.lines.push(line);
}

fn main() {}
