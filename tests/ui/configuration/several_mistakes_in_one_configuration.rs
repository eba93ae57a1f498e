// Several mistakes in one configuration are reported together.
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

#[derive(SkillConfig, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(title = "Counter")]
struct CounterConfig {
    #[skill(defualt = 10)]
    limit: u32,
    #[skill(from_config)]
    step: u32,
    #[skill(default = 1, default = 2)]
    least: u32,
}

fn main() {}
