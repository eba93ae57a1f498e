// The type of an argument is from the standard library and has no form in JSON.
use skill_agent::prelude::*;
use std::time::Instant;

fixture_ui::counter!(actions(Increment));

/// Add to the counter the seconds that have passed.
#[action]
fn increment(counter: &mut Counter, since: Instant) -> u32 {
    counter.count += since.elapsed().as_secs() as u32;
    counter.count
}

fn main() {}
