// An agent with a conflict is used everywhere: the conflict is still told once.
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
