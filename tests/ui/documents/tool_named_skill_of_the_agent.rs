// An agent that offers documents has an action of its own named `skill`.
use skill_agent::prelude::*;

agent! {
    struct Clerk {
        name: "clerk",
        actions: [Describe],
        allow_skills: true,
    }
}

/// Say what the agent is good for.
#[action(name = "skill")]
fn describe(_: &ClerkBase) {}

fn main() {}
