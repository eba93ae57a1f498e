// A configuration ends with `..Default::default()`, which has no use.
use skill_agent::prelude::*;

agent! {
    struct Talker {
        name: "talker",
        skills: [fixture_chat::Chat { limit: 10, ..Default::default() }],
    }
}

fn main() {}
