// The type of an argument derives nothing.
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

struct Step {
    size: u32,
}

/// Add to the counter.
#[action]
fn increment(counter: &mut Counter, by: Step) -> u32 {
    counter.count += by.size;
    counter.count
}

fn main() {}
