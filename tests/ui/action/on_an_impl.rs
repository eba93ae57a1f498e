// `#[action]` is on a whole `impl` instead of each function.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Counts.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "counter")]
struct Counter {
    count: u32,
}

#[action]
impl Counter {
    /// Add to the counter.
    fn increment(&mut self, by: u32) -> u32 {
        self.count += by;
        self.count
    }
}

fn main() {}
