// A state key, a tool and a requirement of one agent are wrong, and all are reported together.
use fixture_chat::Chat;
use fixture_speech::{Gossip, Speech, Translator};
use skill_agent::prelude::*;

agent! {
    struct Talker {
        name: "talker",
        skills: [Chat, Speech, Gossip, Translator],
    }
}

fn main() {}
