// An agent with a clash is used in many places, and the clash is reported once.
use fixture_chat::{Chat, Say};
use fixture_speech::Speech;
use skill_agent::prelude::*;

agent! {
    struct Talker {
        name: "talker",
        skills: [Chat, Speech],
    }
}

fn main() {
    let mut talker = Talker::new();
    talker.cmd(Say { line: String::from("hello") }).unwrap();
    println!("{}", Talker::tools().len());
}
