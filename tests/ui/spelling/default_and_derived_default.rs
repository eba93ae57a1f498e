// Fields have defaults, and `Default` is derived as well.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Counts.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "counter")]
struct Counter {
    #[skill(default)]
    count: u32,
    #[skill(default = 1)]
    step: u32,
}

fn main() {}
