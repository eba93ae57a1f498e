// A skill is both listed and may be mounted.
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
        skills: [Clock],
        mounted: [Clock],
    }
}

fn main() {}
