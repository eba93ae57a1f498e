// A configuration is in parentheses.
use fixture_chat::Chat;
use skill_agent::prelude::*;

agent! {
    struct Talker {
        name: "talker",
        skills: [Chat(limit: 10)],
    }
}

fn main() {}
