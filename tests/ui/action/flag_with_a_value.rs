// `read_only` is a flag and takes no value.
use skill_agent::prelude::*;

fixture_ui::counter!(actions(Increment));

/// The count.
#[action(read_only = true)]
fn increment(counter: &Counter) -> u32 {
    counter.count
}

fn main() {}
