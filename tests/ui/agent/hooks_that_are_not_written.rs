// An agent has the key `hooks` and does not implement `Hooks`.
use skill_agent::prelude::*;

agent! {
    struct Watch {
        name: "watch",
        hooks,
    }
}

fn main() {}
