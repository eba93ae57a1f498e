// Two skills and the agent have actions with hints that the agent forbids.
use fixture_ui::effects::{Mailbox, Web};
use skill_agent::prelude::*;

/// Call a person.
#[action(open_world)]
fn call(_: &mut ClerkBase) {}

agent! {
    struct Clerk {
        name: "clerk",
        forbid: [open_world],
        skills: [Mailbox, Web],
        actions: [Call],
    }
}

fn main() {}
