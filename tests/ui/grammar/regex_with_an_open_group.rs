// A pattern with a group that is never closed.
use skill_agent::prelude::*;

fixture_ui::notes!(actions(Write));

/// Write a note.
#[action]
fn write(notes: &mut Notes, #[arg(pattern("^([a-z]+$"))] line: String) {
    notes.lines.push(line);
}

fn main() {}
