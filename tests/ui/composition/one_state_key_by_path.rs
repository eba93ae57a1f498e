// The same, where the skills are listed by their paths.
use skill_agent::prelude::*;

agent! {
    struct Talker {
        name: "talker",
        skills: [fixture_chat::Chat, fixture_speech::Speech],
    }
}

fn main() {}
