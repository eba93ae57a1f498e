// An answer that borrows from the state.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Remembers notes.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "notes", actions(Lines))]
struct Notes {
    lines: Vec<String>,
}

/// All notes.
#[action]
fn lines(notes: &Notes) -> &[String] {
    &notes.lines
}

fn main() {}
