// `name = "…"` is how attributes spell it; `agent!` takes a colon, like a struct.
use skill_agent::prelude::*;

agent! {
    struct Watch {
        name = "watch",
    }
}

fn main() {}
