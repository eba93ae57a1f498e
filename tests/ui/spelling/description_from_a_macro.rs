// The description is a call of a macro, which attributes do not expand.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Counts.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "counter", description = concat!("Counts", "."))]
struct Counter {
    count: u32,
}

fn main() {}
