// A skill is listed under the state key of another skill.
use skill_agent::prelude::*;
use fixture_speech::Speech;

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
        skills: [Speech, Clock as chat],
    }
}

fn main() {}
