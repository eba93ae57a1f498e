// `rename_all` has a rule that serde does not have.
use skill_agent::prelude::*;

fixture_ui::counter!(actions(Increment));

/// Add to the counter.
#[action(rename_all = "train")]
fn increment(counter: &mut Counter, step_size: u32) -> u32 {
    counter.count += step_size;
    counter.count
}

fn main() {}
