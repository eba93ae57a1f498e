// The instructions of a skill refer to a tool of a required skill, and an entry behind `#[cfg]` is its second instance.
use fixture_ui::counter::Counter;
use fixture_ui::journal;
use skill_agent::prelude::*;

journal!(requires("counter"), instructions = "Count the days with `{Increment}`.");

agent! {
    struct Writer {
        name: "writer",
        skills: [
            Counter as days,
            #[cfg(all())]
            Counter as weeks,
            #[cfg(any())]
            Counter as months,
            Journal,
        ],
    }
}

fn main() {}
