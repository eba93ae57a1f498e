// The error of a condition is no text.
use skill_agent::prelude::*;

fixture_ui::counter!(actions(Increment));

fn is_small(counter: &Counter) -> Result<(), u32> {
    if counter.count < 10 { Ok(()) } else { Err(counter.count) }
}

/// Add to the counter.
#[action(when = is_small)]
fn increment(counter: &mut Counter, by: u32) -> u32 {
    counter.count += by;
    counter.count
}

fn main() {}
