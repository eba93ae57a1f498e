// The agent derives `PartialEq`, but one of its skills does not.
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

agent! {
    #[derive(Clone, PartialEq)]
    struct Watch {
        name: "watch",
        skills: [Clock],
    }
}

fn main() {}
