// An answer that contains a reference into the state.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Remembers notes.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "notes", actions(Last))]
struct Notes {
    lines: Vec<String>,
}

/// The last note, or null when there is none.
#[action]
fn last(notes: &Notes) -> Option<&str> {
    notes.lines.last().map(String::as_str)
}

fn main() {}
