// A skill is listed under the name of another, whose state key differs.
use skill_agent::prelude::*;
use fixture_speech::Namesake;

fixture_ui::clock!(actions(Tick));

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
