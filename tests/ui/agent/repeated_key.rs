// `skills` is given twice.
use fixture_chat::Chat;
use skill_agent::prelude::*;

agent! {
    struct Writer {
        name: "writer",
        skills: [Chat],
        version: "0.1.0",
        skills: [fixture_speech::Diary],
    }
}

fn main() {}
