// `#[action]` is on a method, but an `impl` cannot contain the action's struct.
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

impl Counter {
    /// Add to the counter.
    #[action]
    fn increment(&mut self, by: u32) -> u32 {
        self.count += by;
        self.count
    }
}

fn main() {}
