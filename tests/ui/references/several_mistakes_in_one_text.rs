// The instructions of a skill have two wrong references, one of them twice.
use fixture_ui::notes;
use skill_agent::prelude::*;

notes!(
    instructions = "Keep with `{Wirte}`, remove with `{Discard}`, and keep again with `{Wirte}`.",
    actions(Write)
);

/// Write a note.
#[action]
fn write(notes: &mut Notes, line: String) {
    notes.lines.push(line);
}

fn main() {}
