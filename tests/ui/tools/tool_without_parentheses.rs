// A tool is listed like an action.
use skill_agent::prelude::*;

fixture_ui::calculator!(actions(Add), tools(Add));

/// Add two numbers.
#[action]
fn add(_: &Calculator, first: f64, second: f64) -> f64 {
    first + second
}

fn main() {}
