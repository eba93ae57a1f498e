// `Context` is written without its skill.
use skill_agent::prelude::*;

fixture_ui::counter!(actions(Increment));

/// Add to the counter.
#[action]
fn increment(counter: &mut Counter, cx: &mut Context, by: u32) -> u32 {
    counter.count += by;
    cx.stop("done");
    counter.count
}

fn main() {}
