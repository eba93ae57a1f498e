// A type that is not a skill is listed as a mountable skill.
use skill_agent::prelude::*;

agent! {
    struct Watch {
        name: "watch",
        mounted: [String],
    }
}

fn main() {}
