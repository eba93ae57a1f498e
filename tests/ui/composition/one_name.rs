// Two skills have the same name and different state keys.
use fixture_chat::Chat;
use fixture_speech::Namesake;
use skill_agent::prelude::*;

agent! {
    struct Talker {
        name: "talker",
        skills: [Chat, Namesake],
    }
}

fn main() {}
