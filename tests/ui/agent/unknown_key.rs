// `skill` is not a key of an agent; `skills` is.
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
        skill: [Clock],
    }
}

fn main() {}
