// `None` and `Some(None)` are the same JSON.
use skill_agent::prelude::*;

agent! {
    struct Watch {
        name: "watch",
        state: {
            answer: Option<Option<bool>>,
        },
    }
}

fn main() {}
