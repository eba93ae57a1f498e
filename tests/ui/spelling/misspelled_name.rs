// The one required option is misspelled: one mistake, not an unknown and a missing option.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Counts.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(nmae = "counter")]
struct Counter {
    count: u32,
}

fn main() {}
