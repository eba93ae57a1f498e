// An output that contains a reference into the state.
use skill_agent::prelude::*;

fixture_ui::notes!(actions(Last));

/// The last note, or null when there is none.
#[action]
fn last(notes: &Notes) -> Option<&str> {
    notes.lines.last().map(String::as_str)
}

fn main() {}
