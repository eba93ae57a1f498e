// A signal pattern where `*` is part of a segment instead of being one.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Counts.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "counter", signals("counter*"))]
struct Counter {
    count: u32,
}

fn main() {}
