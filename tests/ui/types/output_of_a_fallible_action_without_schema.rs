// The answer inside a `Result` lacks a derive.
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
    after: u32,
}

/// Add to the counter.
#[action]
fn increment(counter: &mut Counter, by: u32) -> Result<Count, std::num::TryFromIntError> {
    counter.count += by;
    Ok(Count { after: counter.count })
}

fn main() {}
