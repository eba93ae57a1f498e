// A pure action takes a client as an `Arc`.
use skill_agent::prelude::*;

fixture_ui::counter!(actions(Increment));

/// Add to the counter.
#[action]
fn increment(counter: &mut Counter, api: std::sync::Arc<std::sync::Mutex<u32>>) -> u32 {
    counter.count += *api.lock().unwrap();
    counter.count
}

fn main() {}
