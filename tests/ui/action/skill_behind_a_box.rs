// The skill is taken through a smart pointer.
use skill_agent::prelude::*;

fixture_ui::counter!(actions(Increment));

/// Add to the counter.
#[action]
fn increment(counter: Box<Counter>, by: u32) -> u32 {
    counter.count + by
}

fn main() {}
