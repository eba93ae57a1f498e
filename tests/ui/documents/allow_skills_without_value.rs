// `allow_skills` needs a value.
use skill_agent::prelude::*;

agent! {
    struct Clerk {
        name: "clerk",
        allow_skills,
    }
}

fn main() {}
