// A description behind `#[cfg_attr]` below `#[action]` describes the action.
#![allow(clippy::non_minimal_cfg)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "counter", actions(Increment))]
pub struct Counter {
    count: u32,
}

#[action]
#[cfg_attr(all(), doc = "Add one.")]
#[cfg_attr(any(), doc = "Never.")]
pub fn increment(counter: &mut Counter) -> u32 {
    counter.count += 1;
    counter.count
}

agent! {
    pub struct Clerk { name: "clerk", skills: [Counter] }
}

pub(crate) fn main() {
    assert_eq!(Clerk::tools()[0].description, "Add one.");
    assert_eq!(Clerk::new().cmd(Increment {}).unwrap().output, 1);
}
