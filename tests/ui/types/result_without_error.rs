// A `Result` that is not an alias lacks its error.
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
fn increment(counter: &mut Counter, by: String) -> Result<u32> {
    counter.count += by.parse::<u32>().unwrap();
    Ok(counter.count)
}

fn main() {}
