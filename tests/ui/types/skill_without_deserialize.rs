// The state of a skill can be written, but not read.
use schemars::JsonSchema;
use serde::Serialize;
use skill_agent::prelude::*;

/// Counts.
#[derive(Skill, Clone, Default, Serialize, JsonSchema)]
#[skill(name = "counter")]
struct Counter {
    count: u32,
}

fn main() {}
