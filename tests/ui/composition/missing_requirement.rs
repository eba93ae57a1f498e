// A skill requires another that the agent does not have.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Running statistics.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "stats", requires("calculator"))]
struct Stats {
    samples: Vec<f64>,
}

agent! {
    struct MathAgent {
        name: "math_agent",
        skills: [Stats],
    }
}

fn main() {}
