// The name of a function has 78 characters, and is the name of a tool.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Counts.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "counter", actions(IncrementTheCounterOfThisAgentByTheNumberThatTheModelHasAskedFor))]
struct Counter {
    count: u32,
}

/// Add to the counter.
#[action]
fn increment_the_counter_of_this_agent_by_the_number_that_the_model_has_asked_for(
    counter: &mut Counter,
    by: u32,
) -> u32 {
    counter.count += by;
    counter.count
}

fn main() {}
