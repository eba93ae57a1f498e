// A forbidden lint cannot be allowed again, so generated code does not try to.
#![forbid(missing_docs)]
//! A program with documentation of every item.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Counts.
#[derive(Skill, Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "counter", actions(Increment))]
pub struct Counter {
    /// The count.
    pub count: u32,
}

/// Add something.
#[action]
pub fn increment(counter: &mut Counter, by: u32) -> u32 {
    counter.count += by;
    counter.count
}

agent! {
    /// Clerk.
    pub struct Clerk {
        name: "clerk",
        state: {
            /// Whether it is open.
            open: bool,
        },
        skills: [Counter],
    }
}

pub(crate) fn main() {
    assert_eq!(
        Clerk::new()
            .cmd(Increment { by: 1 })
            .map(|done| done.output),
        Ok(1)
    );
}
