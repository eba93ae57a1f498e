// Fields have defaults that partial JSON does not take.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Counts.
#[derive(Skill, Clone, Serialize, Deserialize, JsonSchema)]
#[skill(name = "counter")]
struct Counter {
    #[skill(default)]
    count: u32,
    #[skill(default = 1)]
    step: u32,
}

fn main() {}
