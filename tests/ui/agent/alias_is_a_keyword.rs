// A skill is listed under a keyword of Rust.
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
        skills: [Calculator as type],
    }
}

fn main() {}
