// Fields have defaults that partial JSON does not take.
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
struct CounterConfig {
    #[skill(default = 10)]
    limit: u32,
}

fn main() {}
