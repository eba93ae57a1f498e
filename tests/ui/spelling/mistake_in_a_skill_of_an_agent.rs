// A skill with a mistake is used in many places, and the mistake is reported once.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Counts.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "counter", verison = "0.1.0", actions(Increment))]
struct Counter {
    count: u32,
}

/// Add to the counter.
#[action]
fn increment(counter: &mut Counter, by: u32) -> u32 {
    counter.count += by;
    counter.count
}

agent! {
    struct Clerk {
        name: "clerk",
        skills: [Counter],
    }
}

fn main() {
    let mut clerk = Clerk::new();
    clerk.cmd(Increment { by: 1 }).unwrap();
}
