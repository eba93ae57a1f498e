// An argument is called `_`, but a model needs a name for it.
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

/// Add one to the counter.
#[action]
fn increment(counter: &mut Counter, _: u32) -> u32 {
    counter.count += 1;
    counter.count
}

fn main() {}
