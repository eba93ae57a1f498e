// Instances have all actions by which data could leak.
use fixture_ui::effects::{Mailbox, Web};
use skill_agent::prelude::*;

agent! {
    struct Clerk {
        name: "clerk",
        skills: [Mailbox as post, Web as left, Web as right],
    }
}

fn main() {}
