// An action reads the configuration of a skill that has none.
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
fn increment(counter: &mut Counter, cx: &mut Context<Counter>, by: u32) -> u32 {
    counter.count = (counter.count + by).min(cx.config().limit);
    counter.count
}

fn main() {}
