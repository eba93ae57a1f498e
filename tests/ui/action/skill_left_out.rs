// The first parameter is an argument, and the skill is missing.
use skill_agent::prelude::*;

fixture_ui::calculator!(actions(Add));

/// Add two numbers.
#[action]
fn add(a: f64, b: f64) -> f64 {
    a + b
}

fn main() {}
