// Each of two agents has a clash, and both are reported.
use fixture_chat::Chat;
use fixture_speech::{Gossip, Speech};
use skill_agent::prelude::*;

agent! {
    struct Talker {
        name: "talker",
        skills: [Chat, Speech],
    }
}

agent! {
    struct Neighbour {
        name: "neighbour",
        skills: [Chat, Gossip],
    }
}

fn main() {}
