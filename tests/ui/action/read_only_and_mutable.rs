// An action is `read_only` and takes its skill as `&mut`.
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

/// What the counter has.
#[action(read_only)]
fn increment(counter: &mut Counter) -> u32 {
    counter.count
}

fn main() {}
