// A list is taken as a slice: an argument comes from JSON and is owned.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Basic arithmetic.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "calculator", actions(Sum))]
struct Calculator {
    last_result: f64,
}

/// Add all numbers.
#[action]
fn sum(calculator: &mut Calculator, numbers: &[f64]) -> f64 {
    calculator.last_result = numbers.iter().sum();
    calculator.last_result
}

fn main() {}
