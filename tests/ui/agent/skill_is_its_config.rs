// The configuration of a skill is listed instead of the skill.
use fixture_chat::ChatConfig;
use skill_agent::prelude::*;

agent! {
    struct Talker {
        name: "talker",
        skills: [ChatConfig],
    }
}

fn main() {}
