// A document requires a version of another one that has none.
use fixture_ui::desk::Desk;
use skill_agent::manifest::__private::Embedded;
use skill_agent::manifest::{SkillDoc, DocText};
use skill_agent::prelude::*;

static PLAN: SkillDoc = Embedded {
    id: "plan",
    ..Embedded::EMPTY
}
.doc();

static REVIEW: SkillDoc = Embedded {
    id: "review",
    requires: &[DocText::Borrowed("plan@^1.0")],
    ..Embedded::EMPTY
}
.doc();

agent! {
    struct Clerk {
        name: "clerk",
        skills: [Desk],
        documents: [PLAN, REVIEW],
    }
}

fn main() {}
