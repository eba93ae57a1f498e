// The crate is listed as a skill that can be mounted.
use skill_agent::prelude::*;

agent! {
    pub struct Clerk {
        name: "clerk",
        skills: [],
        mounted: [crate],
    }
}

fn main() {}
