// The struct of the action would have the name of the type in its answer.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

fixture_ui::counter!(actions(Summary));

/// A summary.
#[derive(Serialize, Deserialize, JsonSchema)]
struct Summary {
    count: u32,
}

/// Summarize the counter.
#[action]
fn summary(counter: &Counter) -> Option<Summary> {
    Some(Summary { count: counter.count })
}

fn main() {}
