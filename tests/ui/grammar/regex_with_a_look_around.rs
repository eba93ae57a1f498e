// A pattern with a look-ahead, which the regular expressions of Rust do not have.
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
fn write(notes: &mut Notes, #[arg(pattern("^(?!draft)[a-z]+$"))] line: String) {
    notes.lines.push(line);
}

fn main() {}
