// An action is listed with an attribute other than `#[cfg(...)]`.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "counter", actions(#[allow(unused)] Count))]
pub struct Counter {
    count: u32,
}

/// Count.
#[action]
pub fn count(counter: &mut Counter) {
    counter.count += 1;
}

fn main() {}
