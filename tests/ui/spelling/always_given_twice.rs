// `always` is given twice.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Counts.
#[derive(Skill, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "counter", config = CounterConfig)]
struct Counter {
    #[skill(from_config, always, always)]
    count: u32,
}

#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
struct CounterConfig {
    count: u32,
    step: u32,
}

fn main() {}
