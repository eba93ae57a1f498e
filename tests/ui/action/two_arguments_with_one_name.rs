// One argument is renamed to the name of another.
use skill_agent::prelude::*;

fixture_ui::calculator!(actions(Add));

/// Add two numbers.
#[action]
fn add(calculator: &mut Calculator, a: f64, #[arg(rename = "a")] b: f64) -> f64 {
    calculator.last_result = a + b;
    calculator.last_result
}

fn main() {}
