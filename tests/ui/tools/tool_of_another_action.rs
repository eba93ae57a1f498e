// A tool belongs to an action that the skill does not list.
use skill_agent::prelude::*;

fixture_ui::calculator!(actions(Add), tools(Divide(description = "Divide.")));

/// Add two numbers.
#[action]
fn add(_: &Calculator, first: f64, second: f64) -> f64 {
    first + second
}

fn main() {}
