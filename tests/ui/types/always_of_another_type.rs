// A field with `always` has another type than that of the configuration.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Counts.
#[derive(Skill, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "counter", config = CounterConfig)]
struct Counter {
    #[skill(from_config, always)]
    count: String,
}

#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
struct CounterConfig {
    count: u32,
    step: u32,
}

fn main() {}
