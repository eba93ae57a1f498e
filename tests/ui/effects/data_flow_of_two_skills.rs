// Two skills of another crate read sensitive data, read untrusted content and send data out.
use fixture_ui::effects::{Mailbox, Web};
use skill_agent::prelude::*;

agent! {
    struct Clerk {
        name: "clerk",
        skills: [Mailbox, Web],
    }
}

fn main() {}
