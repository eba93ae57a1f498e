// A struct that does not derive `Skill` is listed as one.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Counts ticks.
#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
struct Clock {
    ticks: u32,
}

agent! {
    struct Watch {
        name: "watch",
        skills: [Clock],
    }
}

fn main() {}
