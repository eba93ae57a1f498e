// An argument has a type of the standard library that JSON cannot represent.
use skill_agent::prelude::*;
use std::time::Instant;

fixture_ui::counter!(actions(Wait));

/// Wait until a time.
#[action]
fn wait(counter: &mut Counter, until: Instant) {
    counter.count += u32::from(until > Instant::now());
}

fn main() {}
