// The type of an argument is from the standard library and has no form in JSON.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;
use std::time::Instant;

/// Counts.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "counter", actions(Increment))]
struct Counter {
    count: u32,
}

/// Add to the counter the seconds that have passed.
#[action]
fn increment(counter: &mut Counter, since: Instant) -> u32 {
    counter.count += since.elapsed().as_secs() as u32;
    counter.count
}

fn main() {}
