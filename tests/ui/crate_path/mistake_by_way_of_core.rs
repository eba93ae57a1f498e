// A skill library that names `skill-core` alone is told a missing derive in the same words.
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
