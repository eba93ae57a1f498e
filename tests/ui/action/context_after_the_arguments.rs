// The context comes after the arguments.
use skill_agent::prelude::*;

fixture_ui::counter!(actions(Increment));

/// Add to the counter.
#[action]
fn increment(counter: &mut Counter, by: u32, cx: &mut Context<Counter>) -> u32 {
    counter.count += by;
    cx.stop("done");
    counter.count
}

fn main() {}
