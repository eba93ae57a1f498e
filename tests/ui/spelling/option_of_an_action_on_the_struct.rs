// `on` routes a signal to an action, so it belongs on the function.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Counts.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "counter", on("counter.increment"))]
struct Counter {
    count: u32,
}

fn main() {}
