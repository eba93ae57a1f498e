// The condition of an action is an `async fn`.
use skill_agent::prelude::*;

fixture_ui::counter!(actions(Increment));

async fn is_small(counter: &Counter) -> Result<(), String> {
    if counter.count < 10 { Ok(()) } else { Err("it is large".to_owned()) }
}

/// Add to the counter.
#[action(when = is_small)]
fn increment(counter: &mut Counter, by: u32) -> u32 {
    counter.count += by;
    counter.count
}

fn main() {}
