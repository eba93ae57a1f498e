// A parameter of an action has the attribute of a field.
use skill_agent::prelude::*;

fixture_ui::counter!(actions(Send));

/// Send a mail.
#[action]
fn send(counter: &mut Counter, #[skill(secret)] key: String) {
    let _ = (counter, key);
}

fn main() {}
