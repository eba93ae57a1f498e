// A skill that is listed by a path has actions with hints that the agent forbids.
use skill_agent::prelude::*;

agent! {
    struct Clerk {
        name: "clerk",
        forbid: [destructive, sends_out],
        skills: [fixture_ui::effects::Mailbox],
    }
}

fn main() {}
