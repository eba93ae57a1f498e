// The type of an argument derives nothing.
use skill_agent::prelude::*;

fixture_ui::counter!(actions(Increment));

struct Step {
    size: u32,
}

/// Add to the counter.
#[action]
fn increment(counter: &mut Counter, by: Step) -> u32 {
    counter.count += by.size;
    counter.count
}

fn main() {}
