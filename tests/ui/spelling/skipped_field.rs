// A field that serde skips would be lost with every `set`.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Counts.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "counter")]
struct Counter {
    count: u32,
    #[serde(skip)]
    cache: Vec<u32>,
}

fn main() {}
