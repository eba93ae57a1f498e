// A mountable skill is listed under another name.
use skill_agent::prelude::*;

fixture_ui::clock!();

agent! {
    struct Watch {
        name: "watch",
        mounted: [Clock as ticker],
    }
}

fn main() {}
