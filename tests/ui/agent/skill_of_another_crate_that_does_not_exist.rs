// A crate has no skill of this name.
use skill_agent::prelude::*;

agent! {
    struct Talker {
        name: "talker",
        skills: [fixture_chat::Chatter],
    }
}

fn main() {}
