// `#[derive(Skill)]` without `#[skill(…)]`.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Counts.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
struct StepCounter {
    count: u32,
}

fn main() {}
