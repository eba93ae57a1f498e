// Tags are in brackets, as in `agent!`.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Counts.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "counter", tags = ["math", "utility"])]
struct Counter {
    count: u32,
}

fn main() {}
