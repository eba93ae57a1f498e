// A `Result` that is not an alias lacks its error.
use skill_agent::prelude::*;

fixture_ui::counter!(actions(Increment));

/// Add to the counter.
#[action]
fn increment(counter: &mut Counter, by: String) -> Result<u32> {
    counter.count += by.parse::<u32>().unwrap();
    Ok(counter.count)
}

fn main() {}
