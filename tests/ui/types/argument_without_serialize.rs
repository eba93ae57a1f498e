// The type of an argument can be read from JSON, but not written.
use schemars::JsonSchema;
use serde::Deserialize;
use skill_agent::prelude::*;

fixture_ui::counter!(actions(Increment));

#[derive(Deserialize, JsonSchema)]
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
