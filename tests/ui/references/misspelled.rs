// The instructions of a skill refer to one of its actions by a misspelled name.
use fixture_ui::notes;
use skill_agent::prelude::*;

notes!(instructions = "Keep what matters with `{Wirte}`.", actions(Write));

/// Write a note.
#[action]
fn write(notes: &mut Notes, line: String) {
    notes.lines.push(line);
}

fn main() {}
