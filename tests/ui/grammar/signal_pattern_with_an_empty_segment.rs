// A signal pattern with two dots.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Counts.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "counter", signals("counter..increment"))]
struct Counter {
    count: u32,
}

fn main() {}
