// The type of a base field cannot be written as JSON.
use skill_agent::prelude::*;

#[derive(Clone, Default)]
struct Mode {
    batch: bool,
}

agent! {
    struct Watch {
        name: "watch",
        state: { mode: Mode },
    }
}

fn main() {}
