// The struct of the action derives `Copy`, but one of its arguments is not `Copy`.
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
#[action(derive(Clone, Copy))]
fn write(notes: &mut Notes, line: String) {
    notes.lines.push(line);
}

fn main() {}
