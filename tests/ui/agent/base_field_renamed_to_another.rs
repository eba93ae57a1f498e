// A base field is renamed to the name of another.
use skill_agent::prelude::*;

agent! {
    struct Watch {
        name: "watch",
        state: {
            mode: u8,
            #[serde(rename = "mode")]
            manner: u8,
        },
    }
}

fn main() {}
