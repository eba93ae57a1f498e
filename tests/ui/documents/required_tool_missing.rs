// A document requires two tools, and the agent has one of them.
use fixture_ui::desk::Desk;
use skill_agent::manifest::__private::Embedded;
use skill_agent::manifest::{SkillDoc, DocText};
use skill_agent::prelude::*;

static PLAN: SkillDoc = Embedded {
    id: "plan",
    requires_tools: &[DocText::Borrowed("read"), DocText::Borrowed("wriet")],
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
