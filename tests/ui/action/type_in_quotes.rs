// The name of the struct is an identifier, not text.
use skill_agent::prelude::*;

fixture_ui::counter!(actions(AddToCounter));

/// Add to the counter.
#[action(type = "AddToCounter")]
fn increment(counter: &mut Counter, by: u32) -> u32 {
    counter.count += by;
    counter.count
}

fn main() {}
