// A list is taken as a slice: an argument comes from JSON and is owned.
use skill_agent::prelude::*;

fixture_ui::calculator!(actions(Sum));

/// Add all numbers.
#[action]
fn sum(calculator: &mut Calculator, numbers: &[f64]) -> f64 {
    calculator.last_result = numbers.iter().sum();
    calculator.last_result
}

fn main() {}
