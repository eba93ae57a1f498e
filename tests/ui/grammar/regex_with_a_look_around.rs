// A pattern with a look-ahead, which regular expressions in Rust do not support.
use skill_agent::prelude::*;

fixture_ui::notes!(actions(Write));

/// Write a note.
#[action]
fn write(notes: &mut Notes, #[arg(pattern("^(?!draft)[a-z]+$"))] line: String) {
    notes.lines.push(line);
}

fn main() {}
