// An agent says `hooks` and writes none.
use skill_agent::prelude::*;

agent! {
    struct Watch {
        name: "watch",
        hooks,
    }
}

fn main() {}
