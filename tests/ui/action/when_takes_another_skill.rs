// The condition of an action takes another skill.
use skill_agent::prelude::*;

fixture_ui::counter!(actions(Increment));

fixture_ui::clock!(actions(Tick));

fn has_ticked(clock: &Clock) -> Result<(), String> {
    if clock.ticks == 0 {
        return Err("the clock has not ticked".to_owned());
    }
    Ok(())
}

/// Advance the clock.
#[action]
fn tick(clock: &mut Clock) -> u32 {
    clock.ticks += 1;
    clock.ticks
}

/// Add to the counter.
#[action(when = has_ticked)]
fn increment(counter: &mut Counter, by: u32) -> u32 {
    counter.count += by;
    counter.count
}

fn main() {}
