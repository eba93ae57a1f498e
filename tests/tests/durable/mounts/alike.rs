//! A build in which both have an action of one name.

use super::old::Lamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;
use std::collections::BTreeMap;

/// Counts by number and by byte.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(
    name = "tally",
    version = "1.0.0",
    state_key = "sums",
    actions(Brighten)
)]
pub struct Tally {
    pub by_number: BTreeMap<u32, u64>,
}

/// Shine too.
#[action(name = "shine")]
pub fn brighten(_: &mut Tally) {}

agent! {
    /// Mounts one of them.
    pub struct Desk {
        name: "desk",
        mounted: [Lamp, Tally],
    }
}
