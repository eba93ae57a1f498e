// The option `secret` is on an action, in its own attribute.
use skill_agent::prelude::*;

fixture_ui::counter!(actions(Send));

/// Send a mail.
#[action(secret)]
fn send(counter: &mut Counter) {
    let _ = counter;
}

fn main() {}
