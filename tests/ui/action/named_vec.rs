// The struct of the action would be `Vec`, which its signature uses.
use skill_agent::prelude::*;

fixture_ui::counter!(actions(Vec));

/// Add to the counter.
#[action]
fn vec(counter: &mut Counter, by: Vec<u32>) -> u32 {
    counter.count += by.iter().sum::<u32>();
    counter.count
}

fn main() {}
