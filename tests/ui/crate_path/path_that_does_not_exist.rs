// `crate = …` of a skill is a path that does not exist.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Counts.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "counter", crate = skills::core)]
struct Counter {
    count: u32,
}

fn main() {}
