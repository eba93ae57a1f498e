// A configuration does not implement `Default`.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Counts.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "counter", config = CounterConfig)]
struct Counter {
    count: u32,
}

#[derive(Clone, Serialize, Deserialize, JsonSchema)]
struct CounterConfig {
    limit: u32,
}

fn main() {}
