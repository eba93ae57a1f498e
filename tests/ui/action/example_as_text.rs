// The example of a number is a text in quotes.
use skill_agent::prelude::*;

fixture_ui::counter!(actions(Increment));

/// Add to the counter.
#[action]
fn increment(counter: &mut Counter, #[arg(example = "5")] by: u32) -> u32 {
    counter.count += by;
    counter.count
}

fn main() {}
