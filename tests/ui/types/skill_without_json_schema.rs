// A skill without `JsonSchema`.
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Counts.
#[derive(Skill, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
#[skill(name = "counter")]
struct Counter {
    count: u32,
}

fn main() {}
