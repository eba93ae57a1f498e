// The struct of the action would be `Result`, which the function returns.
use skill_agent::prelude::*;

fixture_ui::counter!(actions(Result));

/// Add to the counter.
#[action]
fn result(counter: &mut Counter, by: u32) -> Result<u32, String> {
    counter.count = counter.count.checked_add(by).ok_or("too large")?;
    Ok(counter.count)
}

fn main() {}
