// A builder gets the configuration of another skill.
use fixture_chat::{Chat, ChatConfig};
use fixture_speech::Diary;
use skill_agent::prelude::*;

agent! {
    struct Writer {
        name: "writer",
        skills: [Chat, Diary],
    }
}

fn main() {
    Writer::builder().config::<Diary>(ChatConfig::default()).build();
}
