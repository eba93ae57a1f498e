// A base field is called `skills`, the key of the mounted skills.
use skill_agent::prelude::*;

fixture_ui::clock!();

agent! {
    struct Watch {
        name: "watch",
        state: { skills: u32 },
        mounted: [Clock],
    }
}

fn main() {}
