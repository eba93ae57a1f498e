// A document is listed by its file instead of its `static`.
use skill_agent::prelude::*;

agent! {
    struct Clerk {
        name: "clerk",
        documents: ["skills/plan/SKILL.md"],
    }
}

fn main() {}
