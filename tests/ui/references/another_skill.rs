// The instructions of a skill refer to an action of another skill, which it does not require.
use fixture_ui::counter::Counter;
use fixture_ui::notes;
use skill_agent::prelude::*;

notes!(instructions = "Count them with `{Increment}`.", actions(Write));

/// Write a note.
#[action]
fn write(notes: &mut Notes, line: String) {
    notes.lines.push(line);
}

agent! {
    struct Writer {
        name: "writer",
        skills: [Counter, Notes],
    }
}

fn main() {}
