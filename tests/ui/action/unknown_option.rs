// `readonly` is not an option of an action; `read_only` is.
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
#[action(readonly)]
fn increment(counter: &Counter) -> u32 {
    counter.count
}

fn main() {}
