// A mountable skill is listed with a configuration.
use skill_agent::prelude::*;

fixture_ui::clock!();

agent! {
    struct Watch {
        name: "watch",
        mounted: [Clock { ticks: 3 }],
    }
}

fn main() {}
