// A default is outside of the range of its argument.
use skill_agent::prelude::*;

fixture_ui::counter!(actions(Increment));

/// Add to the counter.
#[action]
fn increment(counter: &mut Counter, #[arg(range(1..=5), default = 10)] by: u32) -> u32 {
    counter.count += by;
    counter.count
}

fn main() {}
