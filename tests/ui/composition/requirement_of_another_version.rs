// A skill requires another in a version that the agent does not have.
use fixture_chat::Chat;
use fixture_speech::Translator;
use skill_agent::prelude::*;

agent! {
    struct Talker {
        name: "talker",
        skills: [Chat, Translator],
    }
}

fn main() {}
