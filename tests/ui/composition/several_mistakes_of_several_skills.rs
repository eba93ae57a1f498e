// A state key, a tool and a requirement are wrong in one agent: all are reported at once.
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
