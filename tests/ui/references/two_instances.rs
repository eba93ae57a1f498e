// The instructions of a skill refer to a tool of a required skill of which the agent has two instances.
use fixture_ui::counter::Counter;
use fixture_ui::journal;
use skill_agent::prelude::*;

journal!(requires("counter"), instructions = "Count the days with `{Increment}`.");

agent! {
    struct Writer {
        name: "writer",
        skills: [Counter, Counter as days, Journal],
    }
}

fn main() {}
