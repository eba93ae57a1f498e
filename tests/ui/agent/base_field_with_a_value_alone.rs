// A base field has a value in place of its type.
use skill_agent::prelude::*;

agent! {
    struct Watch {
        name: "watch",
        state: { quiet: true },
    }
}

fn main() {}
