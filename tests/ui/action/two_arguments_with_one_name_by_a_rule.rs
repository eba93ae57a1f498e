// `rename_all` gives two arguments one name.
use skill_agent::prelude::*;

fixture_ui::calculator!(actions(Add));

/// Add two numbers.
#[action(rename_all = "camelCase")]
fn add(calculator: &mut Calculator, first_number: f64, _first_number: f64) -> f64 {
    calculator.last_result = first_number + _first_number;
    calculator.last_result
}

fn main() {}
