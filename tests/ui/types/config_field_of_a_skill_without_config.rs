// An action reads the configuration of a skill that has none.
use skill_agent::prelude::*;

fixture_ui::counter!(actions(Increment));

/// Add to the counter.
#[action]
fn increment(counter: &mut Counter, cx: &mut Context<Counter>, by: u32) -> u32 {
    counter.count = (counter.count + by).min(cx.config().limit);
    counter.count
}

fn main() {}
