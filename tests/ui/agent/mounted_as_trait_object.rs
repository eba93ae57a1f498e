// A trait object is listed as a skill that may be mounted.
use skill_agent::prelude::*;

agent! {
    struct Watch {
        name: "watch",
        mounted: [Box<dyn std::fmt::Debug>],
    }
}

fn main() {}
