// The context is taken as `&Context`, which cannot queue anything.
use skill_agent::prelude::*;

fixture_ui::counter!(actions(Increment));

/// Add to the counter.
#[action]
fn increment(counter: &mut Counter, cx: &Context<Counter>, by: u32) -> u32 {
    counter.count += by;
    counter.count + cx.directives().len() as u32
}

fn main() {}
