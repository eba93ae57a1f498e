// A value of a configuration has the wrong type.
use fixture_chat::Chat;
use skill_agent::prelude::*;

agent! {
    struct Talker {
        name: "talker",
        skills: [Chat { limit: "ten" }],
    }
}

fn main() {}
