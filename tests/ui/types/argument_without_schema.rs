// The type of an argument can be read from JSON, but has no schema.
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

#[derive(Serialize, Deserialize)]
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
