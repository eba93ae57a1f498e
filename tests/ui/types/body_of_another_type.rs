// The body of an action returns a different type from its signature.
use skill_agent::prelude::*;

fixture_ui::counter!(actions(Increment));

/// Add to the counter.
#[action]
fn increment(counter: &mut Counter, by: u32) -> String {
    counter.count += by;
    counter.count
}

fn main() {}
