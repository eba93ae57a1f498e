// A limit of a whole number is a fraction.
use skill_agent::prelude::*;

fixture_ui::counter!(actions(Increment));

/// Add to the counter.
#[action]
fn increment(counter: &mut Counter, #[arg(range(0.5..=5))] by: u32) -> u32 {
    counter.count += by;
    counter.count
}

fn main() {}
