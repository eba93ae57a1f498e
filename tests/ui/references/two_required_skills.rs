// The instructions of a skill refer to a name that actions of two required skills have.
use fixture_ui::desk::Desk;
use fixture_ui::notes::Notes;
use fixture_ui::journal;
use skill_agent::prelude::*;

journal!(requires("notes", "desk"), instructions = "End the day with `{Write}`.");

agent! {
    struct Writer {
        name: "writer",
        skills: [Notes, Desk as office, Journal],
    }
}

fn main() {}
