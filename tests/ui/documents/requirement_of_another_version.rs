// A document requires a skill in another version.
use fixture_ui::desk::Desk;
use skill_agent::manifest::__private::Embedded;
use skill_agent::manifest::{SkillDoc, DocText};
use skill_agent::prelude::*;

static PLAN: SkillDoc = Embedded {
    id: "plan",
    requires: &[DocText::Borrowed("desk@^1.0")],
    ..Embedded::EMPTY
}
.doc();

agent! {
    struct Clerk {
        name: "clerk",
        skills: [Desk],
        documents: [PLAN],
    }
}

fn main() {}
