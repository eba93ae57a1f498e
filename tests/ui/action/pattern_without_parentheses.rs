// The regular expression is written after `=` instead of in parentheses.
use skill_agent::prelude::*;

fixture_ui::notes!(actions(Write));

/// Write a note.
#[action]
fn write(notes: &mut Notes, #[arg(pattern = "^[a-z]+$")] line: String) {
    notes.lines.push(line);
}

fn main() {}
