// Two skills of two crates have tools of the same name.
use fixture_chat::Chat;
use fixture_speech::Gossip;
use skill_agent::prelude::*;

agent! {
    struct Talker {
        name: "talker",
        skills: [Chat, Gossip],
    }
}

fn main() {}
