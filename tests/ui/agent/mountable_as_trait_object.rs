// A trait object is listed as a mountable skill.
use skill_agent::prelude::*;

agent! {
    struct Watch {
        name: "watch",
        mounted: [Box<dyn std::fmt::Debug>],
    }
}

fn main() {}
