// A generic agent: its tables are made once.
use skill_agent::prelude::*;

agent! {
    struct Watch<T> {
        name: "watch",
        state: { last: Option<T> },
    }
}

fn main() {}
