// The base fields are given by a type of their own.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
struct Ticks {
    ticks: u32,
}

agent! {
    struct Watch {
        name: "watch",
        state: Ticks,
    }
}

fn main() {}
