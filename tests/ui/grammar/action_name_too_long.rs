// The name of a function has 78 characters, and is the name of a tool.
use skill_agent::prelude::*;

fixture_ui::counter!(actions(IncrementTheCounterOfThisAgentByTheNumberThatTheModelHasAskedFor));

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
