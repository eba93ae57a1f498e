// A base field has a text in place of its type.
use skill_agent::prelude::*;

agent! {
    struct Watch {
        name: "watch",
        state: { owner: "Ann", ticks: u32 = 3 },
    }
}

fn main() {}
