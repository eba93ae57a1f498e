// The default of a number is text.
use skill_agent::prelude::*;

fixture_ui::counter!(actions(Increment));

/// Add to the counter.
#[action]
fn increment(counter: &mut Counter, #[arg(default = "one")] by: u32) -> u32 {
    counter.count += by;
    counter.count
}

fn main() {}
