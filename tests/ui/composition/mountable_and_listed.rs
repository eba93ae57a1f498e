// A skill is both listed and mountable.
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
