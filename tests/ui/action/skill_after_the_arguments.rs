// The skill is the last parameter instead of the first.
use skill_agent::prelude::*;

fixture_ui::counter!(actions(Increment));

/// Add to the counter.
#[action]
fn increment(by: u32, counter: &mut Counter) -> u32 {
    counter.count += by;
    counter.count
}

fn main() {}
