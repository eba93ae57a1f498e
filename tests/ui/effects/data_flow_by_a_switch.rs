// The data flow is allowed by `true`.
use skill_agent::prelude::*;

agent! {
    struct Clerk {
        name: "clerk",
        allow_data_flow: true,
        skills: [],
    }
}

fn main() {}
