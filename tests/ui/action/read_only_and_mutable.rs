// An action is `read_only` and takes its skill as `&mut`.
use skill_agent::prelude::*;

fixture_ui::counter!(actions(Increment));

/// The count.
#[action(read_only)]
fn increment(counter: &mut Counter) -> u32 {
    counter.count
}

fn main() {}
