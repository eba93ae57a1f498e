// Tags in parentheses, as `#[skill(…)]` spells them.
use skill_agent::prelude::*;

agent! {
    struct Watch {
        name: "watch",
        tags("time", "ticks"),
    }
}

fn main() {}
