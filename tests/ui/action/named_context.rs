// The struct of the action would be `Context`, which another action uses.
use skill_agent::prelude::*;

fixture_ui::counter!(actions(Context, Finish));

/// Add to the counter.
#[action]
fn context(counter: &mut Counter, by: u32) -> u32 {
    counter.count += by;
    counter.count
}

/// Stop.
#[action]
fn finish(_: &Counter, cx: &mut Context<Counter>) {
    cx.stop("done");
}

fn main() {}
