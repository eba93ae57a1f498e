// A mountable skill does not exist.
use skill_agent::prelude::*;

agent! {
    struct Watch {
        name: "watch",
        mounted: [Clock],
    }
}

fn main() {}
