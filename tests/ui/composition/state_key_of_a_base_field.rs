// The state key of a skill is a base field of the agent.
use fixture_speech::Speech;
use skill_agent::prelude::*;

agent! {
    struct Talker {
        name: "talker",
        state: { chat: Vec<String> },
        skills: [Speech],
    }
}

fn main() {}
