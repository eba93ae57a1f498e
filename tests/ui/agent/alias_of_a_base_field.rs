// A skill is listed under the name of a base field.
use skill_agent::prelude::*;

fixture_ui::clock!();

agent! {
    struct Watch {
        name: "watch",
        state: { timer: u32 },
        skills: [Clock as timer],
    }
}

fn main() {}
