// A mountable skill is listed twice.
use skill_agent::prelude::*;

fixture_ui::clock!();

agent! {
    struct Watch {
        name: "watch",
        mounted: [Clock, Clock],
    }
}

fn main() {}
