// The condition of an action takes its skill as `&mut`.
use skill_agent::prelude::*;

fixture_ui::counter!(actions(Increment));

fn counts(counter: &mut Counter) -> Result<(), String> {
    counter.count += 1;
    Ok(())
}

/// Add to the counter.
#[action(when = counts)]
fn increment(counter: &mut Counter, by: u32) -> u32 {
    counter.count += by;
    counter.count
}

fn main() {}
