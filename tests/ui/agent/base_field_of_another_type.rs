// The value of a base field has a different type from the field.
use skill_agent::prelude::*;

agent! {
    struct Watch {
        name: "watch",
        state: { ticks: u32 = "none" },
    }
}

fn main() {}
