//! A build whose tally has a field of another name, and no conversion.

use super::old::Lamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;
use std::collections::BTreeMap;

/// Counts by word.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "tally", version = "1.1.0", state_key = "sums")]
pub struct Tally {
    pub by_word: BTreeMap<String, u64>,
}

agent! {
    /// Mounts both.
    pub struct Desk {
        name: "desk",
        mounted: [Lamp, Tally],
    }
}
