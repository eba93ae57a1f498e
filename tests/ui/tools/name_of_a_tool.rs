// A tool is given a name.
use skill_agent::prelude::*;

fixture_ui::calculator!(actions(Add), tools(Add(name = "sum")));

/// Add two numbers.
#[action]
fn add(_: &Calculator, first: f64, second: f64) -> f64 {
    first + second
}

fn main() {}
