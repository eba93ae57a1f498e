// The instructions of a skill refer to a tool of a required skill that the agent does not have: the missing skill is the mistake.
use fixture_ui::journal;
use skill_agent::prelude::*;

journal!(requires("counter"), instructions = "Count the days with `{Increment}`.");

agent! {
    struct Writer {
        name: "writer",
        skills: [Journal],
    }
}

fn main() {}
