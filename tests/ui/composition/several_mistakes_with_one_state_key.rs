// Three skills have the same state key: the second and the third clash with the first.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;
use fixture_chat::Chat;
use fixture_speech::Speech;

/// Talks on paper.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "letters", state_key = "chat")]
struct Letters {
    sent: u32,
}

agent! {
    struct Talker {
        name: "talker",
        skills: [Chat, Speech, Letters],
    }
}

fn main() {}
