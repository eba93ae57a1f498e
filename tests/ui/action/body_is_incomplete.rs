// The body of the function is incomplete.
use skill_agent::prelude::*;

fixture_ui::counter!(actions(Increment));

/// Add to the counter.
#[action]
fn increment(counter: &mut Counter, by: u32) -> u32 {
    let sum = ;
    counter.count += by;
    counter.count
}

fn main() {}
