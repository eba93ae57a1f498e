// A skill that derives nothing else: four derives are missing, and that is one mistake.
use skill_agent::prelude::*;

/// Counts.
#[derive(Skill)]
#[skill(name = "counter")]
struct Counter {
    count: u32,
}

fn main() {}
