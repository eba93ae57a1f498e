// The output of an action derives nothing.
use skill_agent::prelude::*;

fixture_ui::counter!(actions(Increment));

struct Count {
    before: u32,
    after: u32,
}

/// Add to the counter.
#[action]
fn increment(counter: &mut Counter, by: u32) -> Count {
    let before = counter.count;
    counter.count += by;
    Count { before, after: counter.count }
}

fn main() {}
