// A skill with a crate path has an action with a wrong argument, which is reported as usual.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_core as skills;
use skills::{Skill, action};

/// Counts.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "counter", actions(Increment), crate = skills)]
struct Counter {
    count: u32,
}

struct Step(u32);

/// Add to the counter.
#[action(crate = skills)]
fn increment(counter: &mut Counter, by: Step) -> u32 {
    counter.count += by.0;
    counter.count
}

fn main() {}
