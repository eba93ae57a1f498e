// Two skills of different crates have the same type name and so the same field, `chat`.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Talks on the telephone.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "telephone")]
struct Chat {
    number: String,
}

agent! {
    struct Talker {
        name: "talker",
        skills: [fixture_chat::Chat, Chat],
    }
}

fn main() {}
