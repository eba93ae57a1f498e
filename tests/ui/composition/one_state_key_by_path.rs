// Two skills that are listed by their paths have the same state key.
use skill_agent::prelude::*;

agent! {
    struct Talker {
        name: "talker",
        skills: [fixture_chat::Chat, fixture_speech::Speech],
    }
}

fn main() {}
