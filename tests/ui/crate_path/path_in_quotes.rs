// The path is in quotes, as serde takes it.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Counts.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "counter", crate = "skill_core")]
struct Counter {
    count: u32,
}

fn main() {}
