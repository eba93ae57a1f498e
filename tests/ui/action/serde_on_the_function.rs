// The arguments are renamed by an attribute of serde on the function.
use skill_agent::prelude::*;

fixture_ui::counter!(actions(Increment));

/// Add to the counter.
#[action]
#[serde(rename_all = "camelCase")]
fn increment(counter: &mut Counter, step_size: u32) -> u32 {
    counter.count += step_size;
    counter.count
}

fn main() {}
