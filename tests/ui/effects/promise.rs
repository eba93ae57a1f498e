// A word of `forbid` is a promise.
use skill_agent::prelude::*;

agent! {
    struct Clerk {
        name: "clerk",
        forbid: [read_only],
        skills: [],
    }
}

fn main() {}
