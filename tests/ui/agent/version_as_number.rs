// The version is a number instead of text.
use skill_agent::prelude::*;

agent! {
    struct Watch {
        name: "watch",
        version: 1,
    }
}

fn main() {}
