// An argument is renamed to an empty name.
use skill_agent::prelude::*;

fixture_ui::counter!(actions(Increment));

/// Add to the counter.
#[action]
fn increment(counter: &mut Counter, #[arg(rename = "")] by: u32) -> u32 {
    counter.count += by;
    counter.count
}

fn main() {}
