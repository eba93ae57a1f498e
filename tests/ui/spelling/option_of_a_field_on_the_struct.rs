// `default` belongs on a field, not on the struct.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Counts.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "counter", default = 5)]
struct Counter {
    count: u32,
}

fn main() {}
