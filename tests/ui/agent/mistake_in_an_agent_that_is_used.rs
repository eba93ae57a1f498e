// An agent with a mistake is used in many places, and the mistake is reported once.
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
    struct Watch {
        name: "watch",
        verison: "0.1.0",
        state: { mode: u8 },
        skills: [Clock],
        actions: [SetMode],
    }
}

/// Set the mode.
#[action]
fn set_mode(watch: &mut WatchBase, mode: u8) {
    watch.mode = mode;
}

fn main() {
    let mut watch = Watch::new();
    watch.cmd(Tick {}).unwrap();
    watch.cmd(SetMode { mode: 1 }).unwrap();
    println!("{}", watch.state().clock.ticks);
}
