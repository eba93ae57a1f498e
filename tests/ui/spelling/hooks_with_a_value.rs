// `hooks` is a flag and takes no value.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Counts.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "counter", hooks = true)]
struct Counter {
    count: u32,
}

impl Hooks for Counter {}

fn main() {}
