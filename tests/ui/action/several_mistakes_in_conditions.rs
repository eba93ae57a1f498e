// `#[cfg]` without a condition, and with two.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "counter", actions(#[cfg()] Count, #[cfg(unix, test)] Reset))]
pub struct Counter {
    count: u32,
}

/// Count.
#[action]
pub fn count(counter: &mut Counter) {
    counter.count += 1;
}

/// Reset.
#[action]
pub fn reset(counter: &mut Counter) {
    counter.count = 0;
}

fn main() {}
