// A skill is listed under the name of another, whose state key differs.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;
use fixture_speech::Namesake;

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
    struct Talker {
        name: "talker",
        skills: [Namesake, Clock as chat],
    }
}

fn main() {}
