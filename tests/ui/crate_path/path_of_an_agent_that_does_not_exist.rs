// `crate: …` of an agent is a path that does not exist.
use fixture_ui::clock::Clock;
use skill_agent::prelude::*;

agent! {
    struct Watch {
        name: "watch",
        skills: [Clock],
        crate: skills::core,
    }
}

fn main() {}
