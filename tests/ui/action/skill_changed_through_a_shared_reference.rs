// The skill is taken as `&Counter` and changed.
use skill_agent::prelude::*;

fixture_ui::counter!(actions(Increment));

/// Add to the counter.
#[action]
fn increment(counter: &Counter, by: u32) -> u32 {
    counter.count += by;
    counter.count
}

fn main() {}
