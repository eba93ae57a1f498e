// Text is taken as a `Cow` that may borrow.
use skill_agent::prelude::*;

fixture_ui::counter!(actions(Increment));

/// Add to the counter.
#[action]
fn increment(counter: &mut Counter, unit: std::borrow::Cow<'_, str>) -> String {
    counter.count += 1;
    format!("{} {unit}", counter.count)
}

fn main() {}
