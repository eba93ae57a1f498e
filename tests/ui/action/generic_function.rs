// A generic action: its schema is made once.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Counts.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "counter", actions(Increment))]
struct Counter {
    count: u32,
}

/// Add to the counter.
#[action]
fn increment<N: Into<u32>>(counter: &mut Counter, by: N) -> u32 {
    counter.count += by.into();
    counter.count
}

fn main() {}
