// A word of `forbid` is no hint.
use skill_agent::prelude::*;

agent! {
    struct Clerk {
        name: "clerk",
        forbid: [network],
        skills: [],
    }
}

fn main() {}
