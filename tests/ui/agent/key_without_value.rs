// A key without a value.
use skill_agent::prelude::*;

agent! {
    struct Watch {
        name: "watch",
        version,
    }
}

fn main() {}
