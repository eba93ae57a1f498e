// An argument is described by its doc comment.
use skill_agent::prelude::*;

fixture_ui::counter!(actions(Increment));

/// Add to the counter.
#[action]
fn increment(counter: &mut Counter, #[arg(description = "how many")] by: u32) -> u32 {
    counter.count += by;
    counter.count
}

fn main() {}
