// Two skills have the same route with the same priority.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

fixture_ui::clock!(actions(Tick));

/// Advance the clock.
#[action(on("clock.ticked"))]
fn tick(clock: &mut Clock) {
    clock.ticks += 1;
}

/// Wakes people up.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "alarm", actions(Ring))]
struct Alarm {
    rung: u32,
}

/// Ring once.
#[action(on("clock.ticked"))]
fn ring(alarm: &mut Alarm) {
    alarm.rung += 1;
}

agent! {
    struct Watch {
        name: "watch",
        skills: [Clock, Alarm],
    }
}

fn main() {}
