// The error of an action does not implement `std::error::Error`.
use skill_agent::prelude::*;

fixture_ui::counter!(actions(Increment));

#[derive(Debug)]
struct TooMany;

/// Add to the counter.
#[action]
fn increment(counter: &mut Counter, by: u32) -> Result<u32, TooMany> {
    counter.count = counter.count.checked_add(by).ok_or(TooMany)?;
    Ok(counter.count)
}

fn main() {}
