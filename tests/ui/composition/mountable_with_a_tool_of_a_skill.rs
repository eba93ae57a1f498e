// A mountable skill has the name of a tool of a listed skill.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

fixture_ui::clock!(actions(Tick));

/// Advance the clock.
#[action]
fn tick(clock: &mut Clock) -> u32 {
    clock.ticks += 1;
    clock.ticks
}

/// Counts ticks.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "sundial", actions(Turn))]
struct Sundial {}

/// Turn the shadow.
#[action(name = "tick")]
fn turn(_: &Sundial) {}

agent! {
    struct Watch {
        name: "watch",
        skills: [Clock],
        mounted: [Sundial],
    }
}

fn main() {}
