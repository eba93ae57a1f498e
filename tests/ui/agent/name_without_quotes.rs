// The name of an agent without quotes.
use skill_agent::prelude::*;

agent! {
    struct Watch {
        name: watch,
    }
}

fn main() {}
