// The name of an instance is written after its configuration.
use fixture_chat::Chat;
use skill_agent::prelude::*;

agent! {
    struct Talker {
        name: "talker",
        skills: [Chat { limit: 10 } as talk],
    }
}

fn main() {}
