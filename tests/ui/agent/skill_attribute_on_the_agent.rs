// The options of an agent are keys, no attribute.
use skill_agent::prelude::*;

agent! {
    #[skill(name = "watch")]
    struct Watch {
        name: "watch",
    }
}

fn main() {}
