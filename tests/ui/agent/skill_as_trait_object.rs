// A trait object is listed as a skill, but the skills of an agent are known at compile time.
use fixture_ui::clock::Clock;
use skill_agent::prelude::*;

agent! {
    struct Watch {
        name: "watch",
        skills: [Clock, Box<dyn Skill>],
    }
}

fn main() {}
