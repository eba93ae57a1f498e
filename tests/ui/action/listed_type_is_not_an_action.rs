// A skill lists its configuration among its actions.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Counts.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "counter", actions(Limits))]
struct Counter {
    count: u32,
}

#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
struct Limits {
    highest: u32,
}

fn main() {}
