// A default by serde's attribute, which would not be in the schema.
use skill_agent::prelude::*;

fixture_ui::counter!(actions(Increment));

/// Add to the counter.
#[action]
fn increment(counter: &mut Counter, #[serde(default)] by: u32) -> u32 {
    counter.count += by;
    counter.count
}

fn main() {}
