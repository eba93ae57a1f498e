// The instructions with a wrong reference are written by a macro.
use fixture_ui::notes;
use skill_agent::prelude::*;

macro_rules! notes_of {
    ($action:ident) => {
        notes!(instructions = "Keep what matters with `{Wirte}`.", actions($action));
    };
}

notes_of!(Write);

/// Write a note.
#[action]
fn write(notes: &mut Notes, line: String) {
    notes.lines.push(line);
}

fn main() {}
