// A skill lacks four derives, and one error reports them.
use skill_agent::prelude::*;

/// Counts.
#[derive(Skill)]
#[skill(name = "counter")]
struct Counter {
    count: u32,
}

fn main() {}
