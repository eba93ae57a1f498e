// An argument is renamed by serde's attribute instead of `#[arg(rename = "…")]`.
use skill_agent::prelude::*;

fixture_ui::counter!(actions(Increment));

/// Add to the counter.
#[action]
fn increment(counter: &mut Counter, #[serde(rename = "step")] by: u32) -> u32 {
    counter.count += by;
    counter.count
}

fn main() {}
