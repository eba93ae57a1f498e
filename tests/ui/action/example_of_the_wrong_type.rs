// An example has a different type from the argument.
use skill_agent::prelude::*;

fixture_ui::counter!(actions(Increment));

/// Add to the counter.
#[action]
fn increment(counter: &mut Counter, #[arg(example = "five")] by: u32) -> u32 {
    counter.count += by;
    counter.count
}

fn main() {}
