// The default of a field has a different type from the field.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Counts.
#[derive(Skill, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "counter")]
struct Counter {
    #[skill(default = "one")]
    step: u32,
}

fn main() {}
