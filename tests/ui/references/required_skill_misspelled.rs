// The instructions of a skill refer to an action of a required skill by a misspelled name.
use fixture_ui::counter::Counter;
use fixture_ui::journal;
use skill_agent::prelude::*;

journal!(requires("counter"), instructions = "Count the days with `{Incremetn}`.");

agent! {
    struct Writer {
        name: "writer",
        skills: [Counter, Journal],
    }
}

fn main() {}
