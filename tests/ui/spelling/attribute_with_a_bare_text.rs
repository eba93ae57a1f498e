// The name is written in `#[skill(…)]` without `name =`.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Counts.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill("counter")]
struct Counter {
    count: u32,
}

fn main() {}
