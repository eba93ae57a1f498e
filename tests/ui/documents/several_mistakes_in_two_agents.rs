// A document is listed by two agents and fits neither.
use fixture_ui::desk::Desk;
use skill_agent::manifest::__private::Embedded;
use skill_agent::manifest::{SkillDoc, DocText};
use skill_agent::prelude::*;

static PLAN: SkillDoc = Embedded {
    id: "plan",
    requires_tools: &[DocText::Borrowed("shell")],
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

agent! {
    struct Guard {
        name: "guard",
        documents: [PLAN],
    }
}

fn main() {}
