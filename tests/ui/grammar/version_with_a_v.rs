// A version is spelled like a tag of git.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Counts.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "counter", version = "v1.0.0")]
struct Counter {
    count: u32,
}

fn main() {}
