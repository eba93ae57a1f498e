// A mountable skill has the state key of a base field.
use skill_agent::prelude::*;

fixture_ui::clock!();

agent! {
    struct Watch {
        name: "watch",
        state: { clock: u32 },
        mounted: [Clock],
    }
}

fn main() {}
