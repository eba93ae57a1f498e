// `defualt` is not an option of a field; `default` is.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Counts.
#[derive(Skill, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "counter")]
struct Counter {
    #[skill(default)]
    count: u32,
    #[skill(defualt = 1)]
    step: u32,
}

fn main() {}
