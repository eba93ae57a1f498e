// Text is taken as `&str`: an argument comes from JSON and is owned.
use skill_agent::prelude::*;

fixture_ui::notes!(actions(Write));

/// Write a note.
#[action]
fn write(notes: &mut Notes, line: &str) {
    notes.lines.push(line.to_owned());
}

fn main() {}
