// One argument of an action is missing.
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
        skills: [Calculator],
    }
}

fn main() {
    MathAgent::new().cmd(Add { a: 1.0 }).unwrap();
}
