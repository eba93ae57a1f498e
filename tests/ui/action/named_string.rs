// The struct of the action would be `String`, which its signature uses.
use skill_agent::prelude::*;

fixture_ui::counter!(actions(String));

/// Add to the counter.
#[action]
fn string(counter: &mut Counter, unit: String) -> String {
    counter.count += 1;
    format!("{} {unit}", counter.count)
}

fn main() {}
