// A builder gets the configuration of a skill that the agent does not have.
use fixture_chat::{Chat, ChatConfig};
use fixture_speech::Diary;
use skill_agent::prelude::*;

agent! {
    struct Writer {
        name: "writer",
        skills: [Diary],
    }
}

fn main() {
    Writer::builder().config::<Chat>(ChatConfig::default()).build();
}
