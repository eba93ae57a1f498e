// An argument is a function, which JSON cannot contain.
use skill_agent::prelude::*;

fixture_ui::counter!(actions(Increment));

/// Change the counter.
#[action]
fn increment(counter: &mut Counter, by: Box<dyn Fn(u32) -> u32 + Send>) -> u32 {
    counter.count = by(counter.count);
    counter.count
}

fn main() {}
