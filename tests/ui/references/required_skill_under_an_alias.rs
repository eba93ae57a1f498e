// The instructions of an aliased skill refer to an action that the required skill, which is aliased too, does not have.
use fixture_ui::counter::Counter;
use fixture_ui::journal;
use skill_agent::prelude::*;

journal!(requires("counter"), instructions = "Reset the days with `{Reset}`.");

agent! {
    struct Writer {
        name: "writer",
        skills: [Counter as days, Journal as diary],
    }
}

fn main() {}
