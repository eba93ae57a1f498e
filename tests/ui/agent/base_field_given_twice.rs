// Two base fields have the same name.
use skill_agent::prelude::*;

agent! {
    struct Watch {
        name: "watch",
        state: { ticks: u32, mode: u8, ticks: u64 },
    }
}

fn main() {}
