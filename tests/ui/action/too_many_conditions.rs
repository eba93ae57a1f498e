// The parameters of an action have more conditions than there are versions of it.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "counter", actions(Count))]
pub struct Counter {
    count: u32,
}

/// Count.
#[action]
pub fn count(
    counter: &mut Counter,
    #[cfg(any(unix))] _a: u32,
    #[cfg(any(windows))] _b: u32,
    #[cfg(any(test))] _c: u32,
    #[cfg(any(debug_assertions))] _d: u32,
    #[cfg(any(doc))] _e: u32,
) {
    counter.count += 1;
}

fn main() {}
