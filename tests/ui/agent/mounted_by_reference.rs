// A reference is listed as a skill that may be mounted.
use skill_agent::prelude::*;

fixture_ui::clock!();

agent! {
    struct Watch {
        name: "watch",
        mounted: [&'static Clock],
    }
}

fn main() {}
