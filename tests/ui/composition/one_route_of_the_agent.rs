// The agent and one of its skills have the same route with the same priority.
use fixture_chat::Chat;
use skill_agent::prelude::*;

agent! {
    struct Talker {
        name: "talker",
        state: { heard: u32 },
        skills: [Chat],
        actions: [Hear],
    }
}

/// Count what was said.
#[action(on("chat.say"))]
fn hear(talker: &mut TalkerBase) {
    talker.heard += 1;
}

fn main() {}
