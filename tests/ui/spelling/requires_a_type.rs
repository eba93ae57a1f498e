// A requirement is a type instead of the name of a skill.
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

/// Running statistics.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "stats", requires(Calculator))]
struct Stats {
    samples: Vec<f64>,
}

fn main() {}
