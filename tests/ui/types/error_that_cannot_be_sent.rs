// The error of an action is a box that is not `Send`.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;
use std::error::Error;

/// Counts.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "counter", actions(Increment))]
struct Counter {
    count: u32,
}

/// Add to the counter.
#[action]
fn increment(counter: &mut Counter, by: String) -> Result<u32, Box<dyn Error>> {
    counter.count += by.parse::<u32>()?;
    Ok(counter.count)
}

fn main() {}
