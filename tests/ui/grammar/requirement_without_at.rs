// Name and version of a requirement are separated by a space instead of `@`.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Running statistics.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "stats", requires("calculator ^0.1"))]
struct Stats {
    samples: Vec<f64>,
}

fn main() {}
