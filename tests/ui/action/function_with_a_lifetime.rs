// An action with a lifetime of its own.
use skill_agent::prelude::*;

fixture_ui::notes!(actions(Last));

/// The last note.
#[action]
fn last<'a>(notes: &'a Notes) -> String {
    notes.lines.last().cloned().unwrap_or_default()
}

fn main() {}
