// The word `struct` is missing.
use skill_agent::prelude::*;

agent! {
    pub Watch {
        name: "watch",
    }
}

fn main() {}
