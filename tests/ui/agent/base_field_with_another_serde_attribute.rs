// A base field has an attribute of serde other than `rename`.
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
