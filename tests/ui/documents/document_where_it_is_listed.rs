// A document is included in the list itself.
use skill_agent::prelude::*;

agent! {
    struct Clerk {
        name: "clerk",
        documents: [include_skill!("skills/plan/SKILL.md")],
    }
}

fn main() {}
