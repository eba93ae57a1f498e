// A document is included in the list instead of a `static`.
use skill_agent::prelude::*;

agent! {
    struct Clerk {
        name: "clerk",
        documents: [include_skill!("skills/plan/SKILL.md")],
    }
}

fn main() {}
