// The path of an agent is in quotes, as serde takes it.
use skill_agent::prelude::*;

agent! {
    struct Watch {
        name: "watch",
        crate: "skill_core",
    }
}

fn main() {}
