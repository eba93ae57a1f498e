// An internal action and a tool have the same name.
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

/// Wakes people up.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "alarm", actions(Ring))]
struct Alarm {
    rung: u32,
}

/// Ring once per tick.
#[action(name = "tick", internal)]
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
