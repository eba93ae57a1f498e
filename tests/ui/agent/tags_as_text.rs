// One tag without brackets.
use skill_agent::prelude::*;

agent! {
    struct Watch {
        name: "watch",
        tags: "time",
    }
}

fn main() {}
