// The description of an agent is a key instead of a doc comment.
use skill_agent::prelude::*;

agent! {
    struct Watch {
        name: "watch",
        description: "Counts ticks.",
    }
}

fn main() {}
