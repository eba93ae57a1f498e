// An action without parameters, and so without a skill.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Tells the time.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "clock", actions(Now))]
struct Clock {
    ticks: u32,
}

/// The time.
#[action]
fn now() -> u32 {
    0
}

fn main() {}
