// The name of a skill is text for people, which belongs in the title.
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
