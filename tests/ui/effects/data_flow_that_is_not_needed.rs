// The data flow is allowed, and no action reads untrusted content.
use fixture_ui::effects::Mailbox;
use skill_agent::prelude::*;

agent! {
    struct Clerk {
        name: "clerk",
        allow_data_flow: "a person reads each mail",
        skills: [Mailbox],
    }
}

fn main() {}
