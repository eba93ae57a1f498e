// A flattened base field hides keys from the check for clashes.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
struct Ticks {
    ticks: u32,
}

agent! {
    struct Watch {
        name: "watch",
        state: {
            #[serde(flatten)]
            ticks: Ticks,
        },
    }
}

fn main() {}
