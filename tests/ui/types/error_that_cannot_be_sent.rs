// The error of an action is a box that is not `Send`.
use skill_agent::prelude::*;
use std::error::Error;

fixture_ui::counter!(actions(Increment));

/// Add to the counter.
#[action]
fn increment(counter: &mut Counter, by: String) -> Result<u32, Box<dyn Error>> {
    counter.count += by.parse::<u32>()?;
    Ok(counter.count)
}

fn main() {}
