// The instructions of a skill are read from a file by a macro.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "counter", description = "Counts.", instructions = include_str!("counter.md"))]
pub struct Counter {
    count: u32,
}

fn main() {}
