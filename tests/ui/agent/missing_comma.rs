// No comma between two keys.
use skill_agent::prelude::*;

agent! {
    struct Watch {
        name: "watch"
        version: "0.1.0",
    }
}

fn main() {}
