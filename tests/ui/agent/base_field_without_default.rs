// A base field without a value, of a type without `Default`.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

#[derive(Clone, Serialize, Deserialize, JsonSchema)]
enum Mode {
    Interactive,
    Batch,
}

agent! {
    struct Watch {
        name: "watch",
        state: { mode: Mode },
    }
}

fn main() {}
