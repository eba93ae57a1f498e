// The struct of the action derives `Copy`, but one of its arguments is not `Copy`.
use skill_agent::prelude::*;

fixture_ui::notes!(actions(Write));

/// Write a note.
#[action(derive(Clone, Copy))]
fn write(notes: &mut Notes, line: String) {
    notes.lines.push(line);
}

fn main() {}
