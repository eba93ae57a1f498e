// Skills are types, not their names in quotes.
use skill_agent::prelude::*;

agent! {
    struct Watch {
        name: "watch",
        skills: ["clock"],
    }
}

fn main() {}
