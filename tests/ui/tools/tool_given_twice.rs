// A tool is described twice.
use skill_agent::prelude::*;

fixture_ui::calculator!(actions(Add), tools(Add(title = "Sum"), Add(description = "Sum up.")));

/// Add two numbers.
#[action]
fn add(_: &Calculator, first: f64, second: f64) -> f64 {
    first + second
}

fn main() {}
