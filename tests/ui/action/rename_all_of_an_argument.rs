// `rename_all` is written on an argument instead of on the function.
use skill_agent::prelude::*;

fixture_ui::counter!(actions(Increment));

/// Add to the counter.
#[action]
fn increment(counter: &mut Counter, #[arg(rename_all = "camelCase")] step_size: u32) -> u32 {
    counter.count += step_size;
    counter.count
}

fn main() {}
