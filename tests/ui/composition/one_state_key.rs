// Two skills have the same state key.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Talks.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "chat")]
struct Chat {
    lines: Vec<String>,
}

/// Talks aloud.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "speech", state_key = "chat")]
struct Speech {
    volume: u8,
}

agent! {
    struct Talker {
        name: "talker",
        skills: [Chat, Speech],
    }
}

fn main() {}
