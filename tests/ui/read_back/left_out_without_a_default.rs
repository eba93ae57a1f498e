// An empty list is left out, and then missing.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Keeps notes.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[skill(name = "notes")]
struct Notes {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    lines: Vec<String>,
}

fn main() {}
