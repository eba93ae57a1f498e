// The condition of an action returns a `bool`, which has no reason.
use skill_agent::prelude::*;

fixture_ui::counter!(actions(Increment));

mod conditions {
    pub fn is_small(counter: &super::Counter) -> bool {
        counter.count < 10
    }
}

/// Add to the counter.
#[action(when = conditions::is_small)]
fn increment(counter: &mut Counter, by: u32) -> u32 {
    counter.count += by;
    counter.count
}

fn main() {}
