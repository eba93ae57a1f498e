// A skill has the version of its package and another one.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Counts.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "counter", version, version = "0.2.0")]
struct Counter {
    count: u32,
}

fn main() {}
