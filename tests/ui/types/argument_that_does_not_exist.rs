// The type of an argument is misspelled.
use skill_agent::prelude::*;

fixture_ui::counter!(actions(Increment));

/// Add to the counter.
#[action]
fn increment(counter: &mut Counter, by: U32) -> u32 {
    counter.count += by;
    counter.count
}

fn main() {}
