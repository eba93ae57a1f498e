// The base fields are in brackets, like the skills.
use skill_agent::prelude::*;

agent! {
    struct Watch {
        name: "watch",
        state: [ticks: u32],
    }
}

fn main() {}
