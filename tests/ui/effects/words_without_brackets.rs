// The word of `forbid` has no brackets.
use skill_agent::prelude::*;

agent! {
    struct Clerk {
        name: "clerk",
        forbid: destructive,
        skills: [],
    }
}

fn main() {}
