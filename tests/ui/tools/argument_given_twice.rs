// An argument is described twice.
use skill_agent::prelude::*;

fixture_ui::calculator!(actions(Add), tools(Add(args(first = "The first summand.", first = "A number."))));

/// Add two numbers.
#[action]
fn add(_: &Calculator, first: f64, second: f64) -> f64 {
    first + second
}

fn main() {}
