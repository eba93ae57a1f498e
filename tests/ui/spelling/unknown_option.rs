// `categroy` is not an option of a skill; `category` is.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Counts.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "counter", categroy = "math")]
struct Counter {
    count: u32,
}

fn main() {}
