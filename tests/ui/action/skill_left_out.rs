// The first parameter is an argument, and the skill is missing.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Basic arithmetic.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "calculator", actions(Add))]
struct Calculator {
    last_result: f64,
}

/// Add two numbers.
#[action]
fn add(a: f64, b: f64) -> f64 {
    a + b
}

fn main() {}
