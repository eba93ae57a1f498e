// A module is listed instead of a skill.
use skill_agent::prelude::*;

agent! {
    pub struct Clerk {
        name: "clerk",
        skills: [self],
    }
}

fn main() {}
