// An action takes the whole signal as an argument.
use skill_agent::prelude::*;

fixture_ui::counter!(actions(Audit));

/// Count a signal.
#[action(internal, on("orders.**"))]
fn audit(counter: &mut Counter, signal: Signal) {
    counter.count += u32::from(signal.subject().is_some());
}

fn main() {}
