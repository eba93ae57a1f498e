// The instructions of a skill refer to an action by the name of its tool instead of its struct.
use fixture_ui::notes;
use skill_agent::prelude::*;

notes!(instructions = "Keep what matters with `{Keep}`.", actions(Write));

/// Write a note.
#[action(name = "keep")]
fn write(notes: &mut Notes, line: String) {
    notes.lines.push(line);
}

fn main() {}
