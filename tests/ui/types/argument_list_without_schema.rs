// The type inside a list lacks a derive.
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

fixture_ui::counter!(actions(Increment));

#[derive(Serialize, Deserialize)]
struct Step {
    size: u32,
}

/// Add to the counter, step by step.
#[action]
fn increment(counter: &mut Counter, steps: Vec<Step>) -> u32 {
    counter.count += steps.iter().map(|step| step.size).sum::<u32>();
    counter.count
}

fn main() {}
