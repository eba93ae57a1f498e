// Tags are in parentheses, as in `#[skill(…)]`.
use skill_agent::prelude::*;

agent! {
    struct Watch {
        name: "watch",
        tags("time", "ticks"),
    }
}

fn main() {}
