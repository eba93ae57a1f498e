// A skill of a crate refers to a tool that the required skill of another crate does not have.
use fixture_chat::Chat;
use fixture_speech::Minutes;
use skill_agent::prelude::*;

agent! {
    struct Clerk {
        name: "clerk",
        skills: [Minutes, Chat],
    }
}

fn main() {}
