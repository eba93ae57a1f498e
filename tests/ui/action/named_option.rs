// The struct of the action would be `Option`, which another action uses.
use skill_agent::prelude::*;

fixture_ui::counter!(actions(Option, Increment));

/// Add to the counter.
#[action]
fn option(counter: &mut Counter) -> u32 {
    counter.count += 1;
    counter.count
}

/// Add to the counter.
#[action]
fn increment(counter: &mut Counter, by: Option<u32>) -> u32 {
    counter.count += by.unwrap_or(1);
    counter.count
}

fn main() {}
