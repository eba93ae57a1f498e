// The name is written in `#[action(…)]` without `name =`.
use skill_agent::prelude::*;

fixture_ui::counter!(actions(Increment));

/// Add to the counter.
#[action("increment_counter")]
fn increment(counter: &mut Counter, by: u32) -> u32 {
    counter.count += by;
    counter.count
}

fn main() {}
