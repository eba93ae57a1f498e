// One type is listed, and mounted under a type alias.
use skill_agent::prelude::*;

fixture_ui::clock!(actions(Tick));

/// Advance the clock.
#[action]
fn tick(clock: &mut Clock) -> u32 {
    clock.ticks += 1;
    clock.ticks
}

type Timer = Clock;

agent! {
    struct Watch {
        name: "watch",
        skills: [Clock as hands],
        mounted: [Timer],
    }
}

fn main() {}
