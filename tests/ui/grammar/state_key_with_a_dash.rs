// A state key contains a dash.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Remembers notes.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "my-notes", state_key = "my-notes")]
struct MyNotes {
    lines: Vec<String>,
}

fn main() {}
