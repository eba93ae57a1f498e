// A word of `forbid` is given twice.
use skill_agent::prelude::*;

agent! {
    struct Clerk {
        name: "clerk",
        forbid: [destructive, open_world, destructive],
        skills: [],
    }
}

fn main() {}
