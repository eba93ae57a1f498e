// The answer of an action can be written as JSON, but has no schema.
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

#[derive(Serialize)]
struct Count {
    before: u32,
    after: u32,
}

/// Add to the counter.
#[action]
fn increment(counter: &mut Counter, by: u32) -> Count {
    let before = counter.count;
    counter.count += by;
    Count { before, after: counter.count }
}

fn main() {}
