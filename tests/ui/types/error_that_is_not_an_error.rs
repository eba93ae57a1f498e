// The error of an action does not implement `std::error::Error`.
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

#[derive(Debug)]
struct TooMany;

/// Add to the counter.
#[action]
fn increment(counter: &mut Counter, by: u32) -> Result<u32, TooMany> {
    counter.count = counter.count.checked_add(by).ok_or(TooMany)?;
    Ok(counter.count)
}

fn main() {}
