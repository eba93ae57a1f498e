// A type that is not a skill is listed as one that may be mounted.
use skill_agent::prelude::*;

agent! {
    struct Watch {
        name: "watch",
        mounted: [String],
    }
}

fn main() {}
