// An action forbids a hint, which only an agent can do.
use skill_agent::prelude::*;

fixture_ui::desk!(actions(Read));

/// Read a file.
#[action(forbid = [destructive])]
fn read(_: &Desk) {}

fn main() {}
