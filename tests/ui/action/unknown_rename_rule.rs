// The rule of `rename_all` is written in another case.
use skill_agent::prelude::*;

fixture_ui::counter!(actions(Increment));

/// Add to the counter.
#[action(rename_all = "camelcase")]
fn increment(counter: &mut Counter, step_size: u32) -> u32 {
    counter.count += step_size;
    counter.count
}

fn main() {}
