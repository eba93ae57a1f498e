// An agent has the attribute `#[skill(…)]`.
use skill_agent::prelude::*;

agent! {
    #[skill(name = "watch")]
    struct Watch {
        name: "watch",
    }
}

fn main() {}
