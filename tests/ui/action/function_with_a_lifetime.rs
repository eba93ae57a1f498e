// An action with a lifetime of its own.
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

/// The last note.
#[action]
fn last<'a>(notes: &'a Notes) -> String {
    notes.lines.last().cloned().unwrap_or_default()
}

fn main() {}
