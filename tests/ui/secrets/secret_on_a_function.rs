// The option `secret` is on an action.
use skill_agent::prelude::*;

fixture_ui::counter!(actions(Send));

/// Send a mail.
#[action]
#[skill(secret)]
fn send(counter: &mut Counter) {
    let _ = counter;
}

fn main() {}
