// A skill under a condition that holds completes the actions by which data could leak.
use fixture_ui::effects::{Mailbox, Web};
use skill_agent::prelude::*;

agent! {
    struct Clerk {
        name: "clerk",
        skills: [
            Mailbox,
            #[cfg(all())] Web,
        ],
    }
}

fn main() {}
