// An argument is called `_`, but a model needs a name for it.
use skill_agent::prelude::*;

fixture_ui::counter!(actions(Increment));

/// Add one to the counter.
#[action]
fn increment(counter: &mut Counter, _: u32) -> u32 {
    counter.count += 1;
    counter.count
}

fn main() {}
