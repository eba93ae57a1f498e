// A document has a mistake, and another one requires it.
use skill_agent::manifest::__private::Embedded;
use skill_agent::manifest::{SkillDoc, DocText};
use skill_agent::prelude::*;

static PLAN: SkillDoc = include_skill!("broken/plan/SKILL.md");

static REVIEW: SkillDoc = Embedded {
    id: "review",
    requires: &[DocText::Borrowed("plan@^1.0")],
    ..Embedded::EMPTY
}
.doc();

agent! {
    struct Clerk {
        name: "clerk",
        documents: [PLAN, REVIEW],
    }
}

fn main() {}
