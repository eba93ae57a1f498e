// An argument is renamed to a name with a space, which model providers refuse.
use skill_agent::prelude::*;

fixture_ui::counter!(actions(Increment));

/// Add to the counter.
#[action]
fn increment(counter: &mut Counter, #[arg(rename = "how many")] by: u32) -> u32 {
    counter.count += by;
    counter.count
}

fn main() {}
