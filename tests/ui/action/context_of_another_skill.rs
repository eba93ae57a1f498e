// An action of one skill asks for the context of another.
use skill_agent::prelude::*;

fixture_ui::counter!(actions(Increment));

fixture_ui::clock!(actions(Tick));

/// Advance the clock.
#[action]
fn tick(clock: &mut Clock) -> u32 {
    clock.ticks += 1;
    clock.ticks
}

/// Add to the counter.
#[action]
fn increment(counter: &mut Counter, cx: &mut Context<Clock>, by: u32) -> u32 {
    counter.count += by;
    cx.stop("done");
    counter.count
}

fn main() {}
