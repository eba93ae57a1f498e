// An argument is one that the action does not have.
use skill_agent::prelude::*;

fixture_ui::calculator!(actions(Add), tools(Add(args(divisor = "Not 0."))));

/// Add two numbers.
#[action]
fn add(_: &Calculator, first: f64, second: f64) -> f64 {
    first + second
}

fn main() {}
