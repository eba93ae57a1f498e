// The limit of a length is negative.
use skill_agent::prelude::*;

fixture_ui::notes!(actions(Write));

/// Write a note.
#[action]
fn write(notes: &mut Notes, #[arg(length(-1..=80))] line: String) {
    notes.lines.push(line);
}

fn main() {}
