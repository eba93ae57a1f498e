// An action that its skill does not list, so that no model would see it.
use skill_agent::prelude::*;

fixture_ui::counter!(actions(Increment));

/// Add to the counter.
#[action]
fn increment(counter: &mut Counter, by: u32) -> u32 {
    counter.count += by;
    counter.count
}

/// Set the counter to zero.
#[action]
fn reset(counter: &mut Counter) {
    counter.count = 0;
}

fn main() {}
