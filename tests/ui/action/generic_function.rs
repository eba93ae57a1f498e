// A generic action: its schema is made once.
use skill_agent::prelude::*;

fixture_ui::counter!(actions(Increment));

/// Add to the counter.
#[action]
fn increment<N: Into<u32>>(counter: &mut Counter, by: N) -> u32 {
    counter.count += by.into();
    counter.count
}

fn main() {}
