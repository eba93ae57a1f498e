// A mountable skill requires another version of a second mountable skill.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Counts ticks.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "sun", version = "4.6.0")]
struct Sun {}

/// Counts ticks.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "sundial", requires("sun@^5"))]
struct Sundial {}

agent! {
    struct Watch {
        name: "watch",
        mounted: [Sundial, Sun],
    }
}

fn main() {}
