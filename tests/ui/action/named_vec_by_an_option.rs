// The option `type` names the struct `Vec`.
use skill_agent::prelude::*;

fixture_ui::counter!(actions(Sum, Vec));

/// Add to the counter.
#[action]
fn sum(counter: &Counter) -> u32 {
    counter.count
}

/// Add to the counter.
#[action(type = Vec)]
fn vec(counter: &mut Counter, by: u32) -> u32 {
    counter.count += by;
    counter.count
}

fn main() {}
