// A field of a configuration is misspelled.
use fixture_chat::Chat;
use skill_agent::prelude::*;

agent! {
    struct Talker {
        name: "talker",
        skills: [Chat { limti: 10 }],
    }
}

fn main() {}
