// The word `struct` is left out.
use skill_agent::prelude::*;

agent! {
    pub Watch {
        name: "watch",
    }
}

fn main() {}
