// Of serde's attributes a base field takes `rename` only.
use skill_agent::prelude::*;

agent! {
    struct Watch {
        name: "watch",
        state: {
            #[serde(skip_serializing_if = "Option::is_none")]
            owner: Option<String>,
        },
    }
}

fn main() {}
