// The output inside a `Result` lacks a derive.
use serde::Serialize;
use skill_agent::prelude::*;

fixture_ui::counter!(actions(Increment));

#[derive(Serialize)]
struct Count {
    after: u32,
}

/// Add to the counter.
#[action]
fn increment(counter: &mut Counter, by: u32) -> Result<Count, std::num::TryFromIntError> {
    counter.count += by;
    Ok(Count { after: counter.count })
}

fn main() {}
