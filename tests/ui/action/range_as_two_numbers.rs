// The limits are two numbers instead of a range.
use skill_agent::prelude::*;

fixture_ui::counter!(actions(Increment));

/// Add to the counter.
#[action]
fn increment(counter: &mut Counter, #[arg(range(1, 5))] by: u32) -> u32 {
    counter.count += by;
    counter.count
}

fn main() {}
