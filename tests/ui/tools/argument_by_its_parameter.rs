// An argument is named like its parameter, and not as in JSON.
use skill_agent::prelude::*;

fixture_ui::calculator!(actions(Add), tools(Add(args(first_number = "The first summand."))));

/// Add one number.
#[action(rename_all = "camelCase")]
fn add(_: &Calculator, first_number: f64) -> f64 {
    first_number
}

fn main() {}
