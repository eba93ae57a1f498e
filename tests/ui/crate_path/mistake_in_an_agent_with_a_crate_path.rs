// An agent with a crate path has a clash, which is reported as usual.
use fixture_chat::Chat;
use fixture_speech::Speech;
use skill_core as skills;
use skills::agent;

agent! {
    struct Talker {
        name: "talker",
        skills: [Chat, Speech],
        crate: skills,
    }
}

fn main() {}
