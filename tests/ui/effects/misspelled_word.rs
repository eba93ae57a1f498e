// A word of `forbid` is misspelled.
use skill_agent::prelude::*;

agent! {
    struct Clerk {
        name: "clerk",
        forbid: [destructve],
        skills: [],
    }
}

fn main() {}
