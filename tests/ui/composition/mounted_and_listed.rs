// A skill is both listed and may be mounted.
use skill_agent::prelude::*;

fixture_ui::clock!();

agent! {
    struct Watch {
        name: "watch",
        skills: [Clock],
        mounted: [Clock],
    }
}

fn main() {}
