// The name of the struct is a path, but the struct is written next to the function.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Counts.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "counter", actions(AddToCounter))]
struct Counter {
    count: u32,
}

/// Add to the counter.
#[action(type = actions::AddToCounter)]
fn increment(counter: &mut Counter, by: u32) -> u32 {
    counter.count += by;
    counter.count
}

fn main() {}
