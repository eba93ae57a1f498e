// Two skills of two crates, which do not know each other, have the same state key.
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
