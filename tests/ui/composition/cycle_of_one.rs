// A skill requires itself.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Counts.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "counter", requires("counter"))]
struct Counter {
    count: u32,
}

agent! {
    struct Clerk {
        name: "clerk",
        skills: [Counter],
    }
}

fn main() {}
