// An agent is written as JSON by serde.
// Text of rustc, `Clerk: serde::Serialize`: docs/errors.md has the cure.
use skill_agent::prelude::*;

agent! {
    struct Clerk {
        name: "clerk",
        skills: [],
    }
}

fn main() {
    println!("{:?}", serde_json::to_string(&Clerk::new()));
}
