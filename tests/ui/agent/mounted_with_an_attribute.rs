// A skill that may be mounted has another attribute than `#[cfg(…)]`.
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
        mounted: [#[doc(hidden)] Clock],
    }
}

fn main() {}
