// The context is taken as `&Context`, which cannot queue anything.
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
fn increment(counter: &mut Counter, cx: &Context<Counter>, by: u32) -> u32 {
    counter.count += by;
    counter.count + cx.directives().len() as u32
}

fn main() {}
