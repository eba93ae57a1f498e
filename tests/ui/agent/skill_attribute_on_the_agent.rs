// The options of an agent are in an attribute instead of keys.
use skill_agent::prelude::*;

agent! {
    #[skill(name = "watch")]
    struct Watch {
        name: "watch",
    }
}

fn main() {}
