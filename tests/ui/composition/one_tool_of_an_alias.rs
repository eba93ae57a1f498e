// The tool of an instance has the name of another skill's tool: `calc_add`.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

fixture_ui::calculator!(actions(Add));

/// Add two numbers.
#[action]
fn add(calculator: &mut Calculator, a: f64, b: f64) -> f64 {
    calculator.last_result = a + b;
    calculator.last_result
}

/// Keeps a list of sums.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "sums", actions(CalcAdd))]
struct Sums {
    sums: Vec<f64>,
}

/// Add a sum to the list.
#[action]
fn calc_add(sums: &mut Sums, sum: f64) {
    sums.sums.push(sum);
}

agent! {
    struct MathAgent {
        name: "math_agent",
        skills: [Sums, Calculator as calc],
    }
}

fn main() {}
