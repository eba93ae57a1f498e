// The version of a requirement is not a version.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Running statistics.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "stats", requires("calculator@newest"))]
struct Stats {
    samples: Vec<f64>,
}

fn main() {}
