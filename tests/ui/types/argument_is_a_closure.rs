// An argument is a function, which JSON cannot contain.
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

/// Change the counter.
#[action]
fn increment(counter: &mut Counter, by: Box<dyn Fn(u32) -> u32 + Send>) -> u32 {
    counter.count = by(counter.count);
    counter.count
}

fn main() {}
