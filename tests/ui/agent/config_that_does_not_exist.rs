// The type of the agent's own configuration is misspelled.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
struct WatchConfig {
    speed: u32,
}

agent! {
    struct Watch {
        name: "watch",
        config: WatchConfg,
    }
}

fn main() {}
