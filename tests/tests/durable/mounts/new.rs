//! The next build: a field of the configuration has another name and the other another default, and the tally has another
//! shape.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use skill_agent::prelude::*;
use std::collections::BTreeMap;

/// How far a lamp shines.
#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct LampConfig {
    pub reach: f64,
    pub tint: String,
}

impl Default for LampConfig {
    fn default() -> Self {
        Self {
            reach: 3.0,
            tint: "yellow".to_owned(),
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
    format!("{} {} {}", cx.config().tint, cx.config().reach, lamp.times)
}

/// Counts by name.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "tally", version = "2.0.0", state_key = "sums", hooks)]
pub struct Tally {
    pub by_name: BTreeMap<String, u64>,
}

impl Hooks for Tally {
    fn restore(_: &str, state: Value) -> Result<Self, HookError> {
        let by_name = serde_json::from_value(state["by_number"].clone())?;
        Ok(Self { by_name })
    }
}

agent! {
    /// Mounts both.
    pub struct Desk {
        name: "desk",
        mounted: [Lamp, Tally],
    }
}
