// The reason for the data flow is empty.
use fixture_ui::effects::{Mailbox, Web};
use skill_agent::prelude::*;

agent! {
    struct Clerk {
        name: "clerk",
        allow_data_flow: " ",
        skills: [Mailbox, Web],
    }
}

fn main() {}
