// An output that borrows from the state.
use skill_agent::prelude::*;

fixture_ui::notes!(actions(Lines));

/// All notes.
#[action]
fn lines(notes: &Notes) -> &[String] {
    &notes.lines
}

fn main() {}
