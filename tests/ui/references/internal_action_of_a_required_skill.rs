// The instructions of a skill refer to an internal action of a required skill.
use fixture_ui::{journal, notes};
use skill_agent::prelude::*;

notes!(actions(Clear));

/// Remove all notes.
#[action(internal)]
fn clear(notes: &mut Notes) {
    notes.lines.clear();
}

journal!(requires("notes"), instructions = "Begin the day with `{Clear}`.");

agent! {
    struct Writer {
        name: "writer",
        skills: [Notes, Journal],
    }
}

fn main() {}
