// Two agents in one `agent!`.
use skill_agent::prelude::*;

agent! {
    struct Watch {
        name: "watch",
    }

    struct Tower {
        name: "tower",
    }
}

fn main() {}
