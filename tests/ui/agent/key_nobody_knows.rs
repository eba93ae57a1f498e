// `author` resembles no key of an agent.
use skill_agent::prelude::*;

agent! {
    struct Watch {
        name: "watch",
        author: "Ada",
    }
}

fn main() {}
