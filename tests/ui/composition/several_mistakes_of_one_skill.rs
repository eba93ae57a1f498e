// One skill shares its state key and its tool with another and requires a third: one error lists everything.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;
use fixture_chat::Chat;

/// Shouts.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "shout", state_key = "chat", requires("megaphone"), actions(Shout))]
struct Shouting {
    volume: u8,
}

/// Say something louder.
#[action(name = "say")]
fn shout(shouting: &mut Shouting, line: String) -> usize {
    shouting.volume += 1;
    line.len()
}

agent! {
    struct Talker {
        name: "talker",
        skills: [Chat, Shouting],
    }
}

fn main() {}
