// A skill is listed under a name that leaves no room for the names of its tools.
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
        skills: [Calculator as calculator_of_the_subsidiary_in_the_north_of_norway],
    }
}

fn main() {}
