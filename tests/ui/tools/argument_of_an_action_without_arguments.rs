// An argument of an action that has none is described.
use skill_agent::prelude::*;

fixture_ui::calculator!(actions(Add), tools(Add(args(first = "The first summand."))));

/// Add nothing.
#[action]
fn add(_: &Calculator) {}

fn main() {}
