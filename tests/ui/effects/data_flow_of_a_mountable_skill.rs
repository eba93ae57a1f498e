// A skill that may be mounted completes the actions by which data could leak.
use fixture_ui::effects::{Mailbox, Web};
use skill_agent::prelude::*;

agent! {
    struct Clerk {
        name: "clerk",
        skills: [Mailbox],
        mounted: [Web],
    }
}

fn main() {}
