// One skill is required twice.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Running statistics.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "stats", requires("calculator", "clock", "calculator"))]
struct Stats {
    samples: Vec<f64>,
}

fn main() {}
