//! The first build.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;
use std::collections::BTreeMap;

/// How far a lamp shines.
#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct LampConfig {
    pub reach: f64,
    pub colour: String,
}

impl Default for LampConfig {
    fn default() -> Self {
        Self {
            reach: f64::INFINITY,
            colour: "white".to_owned(),
        }
    }
}

/// Shines.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "lamp", config = LampConfig, actions(Shine))]
pub struct Lamp {
    pub times: u32,
}

/// Shine, and say how.
#[action]
pub fn shine(lamp: &mut Lamp, cx: &mut Context<Lamp>) -> String {
    lamp.times += 1;
    format!("{} {}", cx.config().colour, cx.config().reach)
}

/// Counts by number and by byte.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "tally", version = "1.0.0", state_key = "sums", actions(Count))]
pub struct Tally {
    pub by_number: BTreeMap<u32, u64>,
}

/// Count.
#[action]
pub fn count(tally: &mut Tally, number: u32) {
    *tally.by_number.entry(number).or_default() += 1;
}

agent! {
    /// Mounts both.
    pub struct Desk {
        name: "desk",
        mounted: [Lamp, Tally],
    }
}
