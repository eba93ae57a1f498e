// The lower limit of a number is an option of its own.
use skill_agent::prelude::*;

fixture_ui::counter!(actions(Increment));

/// Add to the counter.
#[action]
fn increment(counter: &mut Counter, #[arg(min = 1)] by: u32) -> u32 {
    counter.count += by;
    counter.count
}

fn main() {}
