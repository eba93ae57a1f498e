// The name of a function is a Rust identifier, but not the name of a tool.
use skill_agent::prelude::*;

fixture_ui::counter!(actions(Zähle));

/// Add to the counter.
#[action]
fn zähle(counter: &mut Counter, by: u32) -> u32 {
    counter.count += by;
    counter.count
}

fn main() {}
