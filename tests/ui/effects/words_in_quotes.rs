// The words of `forbid` are texts.
use skill_agent::prelude::*;

agent! {
    struct Clerk {
        name: "clerk",
        forbid: ["destructive"],
        skills: [],
    }
}

fn main() {}
