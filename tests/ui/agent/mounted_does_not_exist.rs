// A skill that does not exist is listed as one that may be mounted.
use skill_agent::prelude::*;

agent! {
    struct Watch {
        name: "watch",
        mounted: [Clock],
    }
}

fn main() {}
