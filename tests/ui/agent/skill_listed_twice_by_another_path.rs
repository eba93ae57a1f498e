// One skill is listed by its name and by its path.
use fixture_chat::Chat;
use skill_agent::prelude::*;

agent! {
    struct Talker {
        name: "talker",
        skills: [Chat, fixture_chat::Chat],
    }
}

fn main() {}
