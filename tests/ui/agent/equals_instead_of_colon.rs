// `name = "…"` is the syntax of attributes; `agent!` takes a colon.
use skill_agent::prelude::*;

agent! {
    struct Watch {
        name = "watch",
    }
}

fn main() {}
