// The struct of the action would be `Signal`, which its body uses.
use skill_agent::prelude::*;

fixture_ui::counter!(actions(Signal));

/// Add to the counter.
#[action]
fn signal(_: &Counter, cx: &mut Context<Counter>) {
    cx.emit(Signal::new("counter.asked", serde_json::json!({})));
}

fn main() {}
