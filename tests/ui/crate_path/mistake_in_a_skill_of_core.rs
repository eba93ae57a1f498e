// A skill that uses `skill-core` alone lacks a derive, which is reported as usual.
use serde::{Deserialize, Serialize};
use skill_core::{Skill, action};

/// Counts.
#[derive(Skill, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
#[skill(name = "counter", actions(Increment))]
struct Counter {
    count: u32,
}

/// Add to the counter.
#[action]
fn increment(counter: &mut Counter, by: u32) -> u32 {
    counter.count += by;
    counter.count
}

fn main() {}
