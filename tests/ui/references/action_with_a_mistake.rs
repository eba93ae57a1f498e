// The instructions of a skill refer to an action with a mistake: only the mistake is reported.
use fixture_ui::notes;
use skill_agent::prelude::*;

notes!(instructions = "Keep what matters with `{Write}`.", actions(Write));

/// Write a note.
#[action(nmae = "write")]
fn write(notes: &mut Notes, line: String) {
    notes.lines.push(line);
}

fn main() {}
