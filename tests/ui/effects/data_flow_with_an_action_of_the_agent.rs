// An action of the agent completes the actions by which data could leak.
use fixture_ui::effects::Mailbox;
use skill_agent::prelude::*;

/// Read the guest book.
#[action(reads_untrusted)]
fn visitors(_: &ClerkBase) {}

agent! {
    struct Clerk {
        name: "clerk",
        skills: [Mailbox],
        actions: [Visitors],
    }
}

fn main() {}
