// A skill of a crate requires a skill of another crate.
use fixture_speech::Transcript;
use skill_agent::prelude::*;

agent! {
    struct Writer {
        name: "writer",
        skills: [Transcript],
    }
}

fn main() {}
