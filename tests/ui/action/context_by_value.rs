// The context is taken by value.
use skill_agent::prelude::*;

fixture_ui::counter!(actions(Increment));

/// Add to the counter.
#[action]
fn increment(counter: &mut Counter, mut cx: Context<Counter>, by: u32) -> u32 {
    counter.count += by;
    cx.stop("done");
    counter.count
}

fn main() {}
