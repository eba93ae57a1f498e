// A skill has the option `hooks` and does not implement `Hooks`.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Counts.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "counter", hooks)]
struct Counter {
    count: u32,
}

fn main() {}
