// `always` is on the skill instead of a field.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Counts.
#[derive(Skill, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "counter", config = CounterConfig, always)]
struct Counter {
    #[skill(from_config)]
    count: u32,
}

#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
struct CounterConfig {
    count: u32,
    step: u32,
}

fn main() {}
