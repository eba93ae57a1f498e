// The error of an action is `()`.
use skill_agent::prelude::*;

fixture_ui::counter!(actions(Increment));

/// Add to the counter.
#[action]
fn increment(counter: &mut Counter, by: u32) -> Result<u32, ()> {
    counter.count = counter.count.checked_add(by).ok_or(())?;
    Ok(counter.count)
}

fn main() {}
