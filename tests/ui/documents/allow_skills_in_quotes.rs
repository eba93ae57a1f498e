// `allow_skills` takes no text.
use skill_agent::prelude::*;

agent! {
    struct Clerk {
        name: "clerk",
        allow_skills: "true",
    }
}

fn main() {}
