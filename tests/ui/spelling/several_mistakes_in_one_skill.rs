// A wrong name, an unknown option, a repeated one and a wrong value are reported together.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Counts.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(
    name = "Counter",
    verison = "0.1.0",
    category = "math",
    category = "numbers",
    tags = "math"
)]
struct Counter {
    count: u32,
}

fn main() {}
