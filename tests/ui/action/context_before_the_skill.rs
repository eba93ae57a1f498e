// The context comes before the skill.
use skill_agent::prelude::*;

fixture_ui::counter!(actions(Increment));

/// Add to the counter.
#[action]
fn increment(cx: &mut Context<Counter>, counter: &mut Counter, by: u32) -> u32 {
    counter.count += by;
    cx.stop("done");
    counter.count
}

fn main() {}
