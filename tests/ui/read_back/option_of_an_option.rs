// `None` and `Some(None)` are the same JSON.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Keeps notes.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "notes")]
struct Notes {
    answer: Option<Option<bool>>,
}

fn main() {}
