// An example is outside of the range of its argument.
use skill_agent::prelude::*;

fixture_ui::counter!(actions(Increment));

/// Add to the counter.
#[action]
fn increment(counter: &mut Counter, #[arg(range(-0.5..0.5), example = 0.5)] by: f64) -> u32 {
    counter.count += by as u32;
    counter.count
}

fn main() {}
