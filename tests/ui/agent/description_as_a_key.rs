// The description of an agent is its doc comment.
use skill_agent::prelude::*;

agent! {
    struct Watch {
        name: "watch",
        description: "Counts ticks.",
    }
}

fn main() {}
