// One signal pattern is listed twice.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Counts.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "counter", signals("counter.*", "clock.ticked", "counter.*"))]
struct Counter {
    count: u32,
}

fn main() {}
