// The name of a skill has 66 characters.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Counts.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "counter-of-everything-that-has-ever-been-counted-by-this-one-agent")]
struct Counter {
    count: u32,
}

fn main() {}
