// A signal pattern has `*` as a part of a segment.
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
