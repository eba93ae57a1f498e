// `always` is on a field without `from_config`, next to one that has it.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Counts.
#[derive(Skill, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "counter", config = CounterConfig)]
struct Counter {
    #[skill(from_config)]
    count: u32,
    #[skill(always)]
    step: u32,
}

#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
struct CounterConfig {
    count: u32,
    step: u32,
}

fn main() {}
