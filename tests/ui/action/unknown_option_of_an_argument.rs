// `step` is not an option of `#[arg(...)]`.
use skill_agent::prelude::*;

fixture_ui::counter!(actions(Increment));

/// Add to the counter.
#[action]
fn increment(counter: &mut Counter, #[arg(step = 1, range(..=5))] by: u32) -> u32 {
    counter.count += by;
    counter.count
}

fn main() {}
