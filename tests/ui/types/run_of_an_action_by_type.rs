// `run` gets an action by its type.
use skill_agent::prelude::*;

fixture_ui::counter!(actions(Increment, IncrementTwice));

/// Add to the counter.
#[action]
fn increment(counter: &mut Counter, by: u32) -> u32 {
    counter.count += by;
    counter.count
}

/// Add 1 twice.
#[action]
fn increment_twice(counter: &mut Counter, cx: &mut Context<Counter>) {
    counter.count += 1;
    cx.run(Increment { by: 1 });
}

fn main() {}
