// `author` is not similar to any key of an agent.
use skill_agent::prelude::*;

agent! {
    struct Watch {
        name: "watch",
        author: "Ada",
    }
}

fn main() {}
