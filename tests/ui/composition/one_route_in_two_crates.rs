// Two skills of two crates have the same route with the same priority.
use fixture_chat::Chat;
use fixture_speech::Echo;
use skill_agent::prelude::*;

agent! {
    struct Talker {
        name: "talker",
        skills: [Chat, Echo],
    }
}

fn main() {}
