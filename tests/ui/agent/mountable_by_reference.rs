// A reference is listed as a mountable skill.
use skill_agent::prelude::*;

fixture_ui::clock!();

agent! {
    struct Watch {
        name: "watch",
        mounted: [&'static Clock],
    }
}

fn main() {}
