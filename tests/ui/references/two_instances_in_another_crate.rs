// A skill of a crate refers to a tool of a skill of another crate, of which the agent has two instances.
use fixture_chat::Chat;
use fixture_speech::Transcript;
use skill_agent::prelude::*;

agent! {
    struct Clerk {
        name: "clerk",
        skills: [Chat as left, Chat as right, Transcript],
    }
}

fn main() {}
