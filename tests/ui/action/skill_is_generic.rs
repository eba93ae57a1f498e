// The first parameter is `impl Trait` instead of one skill.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Counts.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "counter", actions(Increment))]
struct Counter {
    count: u32,
}

/// Add to the counter.
#[action]
fn increment(skill: &mut impl Skill, by: u32) -> u32 {
    let _ = skill;
    by
}

fn main() {}
