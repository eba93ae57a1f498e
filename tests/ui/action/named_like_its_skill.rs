// The struct of the action would have the name of its skill.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// A calculator.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "calculate", actions(Calculate))]
struct Calculate {
    last_result: f64,
}

/// Add two numbers.
#[action]
fn calculate(state: &mut Calculate, a: f64, b: f64) -> f64 {
    state.last_result = a + b;
    state.last_result
}

fn main() {}
