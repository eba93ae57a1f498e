// A reference is listed as a skill that may be mounted.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Counts ticks.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "clock")]
struct Clock {
    ticks: u32,
}

agent! {
    struct Watch {
        name: "watch",
        mounted: [&'static Clock],
    }
}

fn main() {}
