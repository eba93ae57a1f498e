// A document requires something that is neither a skill of the agent nor a document.
use fixture_ui::desk::Desk;
use skill_agent::manifest::__private::Embedded;
use skill_agent::manifest::{SkillDoc, DocText};
use skill_agent::prelude::*;

static PLAN: SkillDoc = Embedded {
    id: "plan",
    requires: &[DocText::Borrowed("calendar")],
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
