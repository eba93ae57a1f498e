// A requirement has the type of the skill instead of its name.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Running statistics.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "stats", requires("Calculator"))]
struct Stats {
    samples: Vec<f64>,
}

fn main() {}
