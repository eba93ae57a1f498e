// An agent is written as an enum.
use skill_agent::prelude::*;

agent! {
    enum Watch {
        name: "watch",
    }
}

fn main() {}
