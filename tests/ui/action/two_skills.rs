// An action takes a second skill.
use fixture_ui::clock::Clock;
use skill_agent::prelude::*;

fixture_ui::counter!(actions(Increment));

/// Add to the counter as many as the clock has ticks.
#[action]
fn increment(counter: &mut Counter, clock: &Clock) -> u32 {
    counter.count += clock.ticks;
    counter.count
}

fn main() {}
