// The name of a skill, spelled for people: that is its title.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Counts.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "step counter")]
struct StepCounter {
    count: u32,
}

fn main() {}
