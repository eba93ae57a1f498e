// A base field has the name of a skill's field.
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
        state: { clock: u32 },
        skills: [Clock],
    }
}

fn main() {}
