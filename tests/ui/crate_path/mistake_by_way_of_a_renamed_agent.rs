// An agent that names the crate by a path of its own is told a conflict in the same words.
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
