// The instructions of a skill refer to an internal action, which is no tool.
use fixture_ui::notes;
use skill_agent::prelude::*;

notes!(instructions = "Clear them with `{Clear}`.", actions(Clear));

/// Remove all notes.
#[action(internal)]
fn clear(notes: &mut Notes) {
    notes.lines.clear();
}

fn main() {}
