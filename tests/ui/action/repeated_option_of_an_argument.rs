// `default` is given twice.
use skill_agent::prelude::*;

fixture_ui::counter!(actions(Increment));

/// Add to the counter.
#[action]
fn increment(counter: &mut Counter, #[arg(default, range(0..=5), default = 1)] by: u32) -> u32 {
    counter.count += by;
    counter.count
}

fn main() {}
