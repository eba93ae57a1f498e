// A category without text.
use skill_agent::prelude::*;

agent! {
    struct Watch {
        name: "watch",
        category: "",
    }
}

fn main() {}
