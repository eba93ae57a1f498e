// The value of `allow_skills` is a string.
use skill_agent::prelude::*;

agent! {
    struct Clerk {
        name: "clerk",
        allow_skills: "true",
    }
}

fn main() {}
