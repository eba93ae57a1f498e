// An action is both `read_only` and `destructive`.
use skill_agent::prelude::*;

fixture_ui::notes!(actions(Clear));

/// Throw all notes away.
#[action(read_only, destructive)]
fn clear(notes: &Notes) -> usize {
    notes.lines.len()
}

fn main() {}
