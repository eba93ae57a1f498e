// A skill does not implement `Default`.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Counts.
#[derive(Skill, Clone, Serialize, Deserialize, JsonSchema)]
#[skill(name = "counter")]
struct Counter {
    count: u32,
}

fn main() {}
