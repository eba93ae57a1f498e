// A base field without a type.
use skill_agent::prelude::*;

agent! {
    struct Watch {
        name: "watch",
        state: { ticks = 0 },
    }
}

fn main() {}
