// A skill is listed under the name of a base field.
use skill_agent::prelude::*;

fixture_ui::clock!(actions(Tick));

/// Advance the clock.
#[action]
fn tick(clock: &mut Clock) -> u32 {
    clock.ticks += 1;
    clock.ticks
}

agent! {
    struct Watch {
        name: "watch",
        state: { timer: u32 },
        skills: [Clock as timer],
    }
}

fn main() {}
