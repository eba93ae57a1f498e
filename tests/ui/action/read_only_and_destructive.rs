// An action is both `read_only` and `destructive`.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Remembers notes.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "notes", actions(Clear))]
struct Notes {
    lines: Vec<String>,
}

/// Throw all notes away.
#[action(read_only, destructive)]
fn clear(notes: &Notes) -> usize {
    notes.lines.len()
}

fn main() {}
