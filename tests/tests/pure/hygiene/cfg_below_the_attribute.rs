// A `#[cfg]` below `#[action]` applies to the function and everything that the macro generates.
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

/// Add one.
#[action]
#[cfg(all())]
#[inline]
#[must_use]
pub fn increment(counter: &mut Counter) -> u32 {
    counter.count += 1;
    counter.count
}

/// Is not there.
#[action]
#[cfg(any())]
pub fn decrement(counter: &mut Nobody) -> u32 {
    counter.count
}

agent! {
    pub struct Clerk { name: "clerk", skills: [Counter] }
}

pub(crate) fn main() {
    assert_eq!(Clerk::new().cmd(Increment {}).unwrap().output, 1);
}
