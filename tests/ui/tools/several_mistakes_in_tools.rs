// Several texts are wrong.
use skill_agent::prelude::*;

fixture_ui::calculator!(actions(Add), tools(Add(titel = "Sum", args(frist = "The first summand.", second = "")), Divide(title = "Quotient")));

/// Add two numbers.
#[action]
fn add(_: &Calculator, first: f64, second: f64) -> f64 {
    first + second
}

fn main() {}
