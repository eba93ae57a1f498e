// The name of the struct is a path, but the struct is written next to the function.
use skill_agent::prelude::*;

fixture_ui::counter!(actions(AddToCounter));

/// Add to the counter.
#[action(type = actions::AddToCounter)]
fn increment(counter: &mut Counter, by: u32) -> u32 {
    counter.count += by;
    counter.count
}

fn main() {}
