// A skill that may be mounted has the state key of a base field.
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
        state: { clock: u32 },
        mounted: [Clock],
    }
}

fn main() {}
