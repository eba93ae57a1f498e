// The state key of a skill is the JSON name of a base field.
use fixture_speech::Speech;
use skill_agent::prelude::*;

agent! {
    struct Talker {
        name: "talker",
        state: {
            #[serde(rename = "chat")]
            lines: Vec<String>,
        },
        skills: [Speech],
    }
}

fn main() {}
