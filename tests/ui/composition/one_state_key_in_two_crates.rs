// Two skills of two crates keep their state under one key: neither could know of the other.
use fixture_chat::Chat;
use fixture_speech::Speech;
use skill_agent::prelude::*;

agent! {
    struct Talker {
        name: "talker",
        skills: [Chat, Speech],
    }
}

fn main() {}
