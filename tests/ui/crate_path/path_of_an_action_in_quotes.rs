// The path of an action is in quotes, as serde takes it.
use skill_agent::prelude::*;

fixture_ui::counter!(actions(Increment));

/// Add to the counter.
#[action(crate = "skill_core")]
fn increment(counter: &mut Counter, by: u32) -> u32 {
    counter.count += by;
    counter.count
}

fn main() {}
