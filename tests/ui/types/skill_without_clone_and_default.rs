// A skill derives the traits of serde and schemars, but neither `Clone` nor `Default`.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Counts.
#[derive(Skill, Serialize, Deserialize, JsonSchema)]
#[skill(name = "counter", actions(Increment))]
struct Counter {
    count: u32,
}

/// Add to the counter.
#[action]
fn increment(counter: &mut Counter, by: u32) -> u32 {
    counter.count += by;
    counter.count
}

fn main() {}
