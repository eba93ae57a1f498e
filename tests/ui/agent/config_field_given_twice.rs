// A field of a configuration is given twice.
use fixture_chat::Chat;
use skill_agent::prelude::*;

agent! {
    struct Talker {
        name: "talker",
        skills: [Chat { limit: 10, greeting: String::from("hi"), limit: 20 }],
    }
}

fn main() {}
