// The option `secret` is on an argument.
use skill_agent::prelude::*;

fixture_ui::counter!(actions(Send));

/// Send a mail.
#[action]
fn send(counter: &mut Counter, #[arg(secret)] key: String) {
    let _ = (counter, key);
}

fn main() {}
