// A flattened argument hides keys from the schema.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

fixture_ui::counter!(actions(Increment));

#[derive(Serialize, Deserialize, JsonSchema)]
struct Step {
    by: u32,
}

/// Add to the counter.
#[action]
fn increment(counter: &mut Counter, #[serde(flatten)] step: Step) -> u32 {
    counter.count += step.by;
    counter.count
}

fn main() {}
