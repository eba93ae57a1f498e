// Text is taken as `impl Into<String>`, but a schema needs one type.
use skill_agent::prelude::*;

fixture_ui::notes!(actions(Write));

/// Write a note.
#[action]
fn write(notes: &mut Notes, line: impl Into<String>) {
    notes.lines.push(line.into());
}

fn main() {}
