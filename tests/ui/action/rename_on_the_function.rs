// `rename` is written on the function instead of on an argument.
use skill_agent::prelude::*;

fixture_ui::counter!(actions(Increment));

/// Add to the counter.
#[action(rename = "stepSize")]
fn increment(counter: &mut Counter, step_size: u32) -> u32 {
    counter.count += step_size;
    counter.count
}

fn main() {}
