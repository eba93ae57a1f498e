// The type of an argument can be read from JSON, but has no schema.
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

fixture_ui::counter!(actions(Increment));

#[derive(Serialize, Deserialize)]
struct Step {
    size: u32,
}

/// Add to the counter.
#[action]
fn increment(counter: &mut Counter, by: Step) -> u32 {
    counter.count += by.size;
    counter.count
}

fn main() {}
