// A skill is listed under the name of a method that every agent has.
use skill_agent::prelude::*;

fixture_ui::calculator!(actions(Add));

/// Add two numbers.
#[action]
fn add(calculator: &mut Calculator, a: f64, b: f64) -> f64 {
    calculator.last_result = a + b;
    calculator.last_result
}

agent! {
    struct MathAgent {
        name: "math_agent",
        skills: [Calculator as run],
    }
}

fn main() {}
