// `readonly` is not an option of an action; `read_only` is.
use skill_agent::prelude::*;

fixture_ui::counter!(actions(Increment));

/// The count.
#[action(readonly)]
fn increment(counter: &Counter) -> u32 {
    counter.count
}

fn main() {}
