// A configuration is written with `=`, like an option of an attribute.
use skill_agent::prelude::*;

agent! {
    struct Talker {
        name: "talker",
        skills: [fixture_chat::Chat { limit = 10 }],
    }
}

fn main() {}
