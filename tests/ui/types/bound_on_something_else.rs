// A function takes an agent, and the argument is a skill.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Counts ticks.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "clock", actions(Tick))]
struct Clock {
    ticks: u32,
}

/// Advance the clock.
#[action]
fn tick(clock: &mut Clock) -> u32 {
    clock.ticks += 1;
    clock.ticks
}

fn names<G: Agent>(_: &G) -> usize {
    G::skills().len()
}

fn main() {
    names(&Clock::default());
}
