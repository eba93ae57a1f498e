// A base field is called `skills`, the key of the mounted skills.
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
        state: { skills: u32 },
        mounted: [Clock],
    }
}

fn main() {}
