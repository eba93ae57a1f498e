// An action without a doc comment: a model chooses actions by their descriptions.
use skill_agent::prelude::*;

fixture_ui::counter!(actions(Increment));

#[action]
fn increment(counter: &mut Counter, by: u32) -> u32 {
    counter.count += by;
    counter.count
}

fn main() {}
