// A document requires tools, and the agent has no similar ones.
use fixture_ui::desk::Desk;
use skill_agent::manifest::__private::Embedded;
use skill_agent::manifest::{SkillDoc, DocText};
use skill_agent::prelude::*;

static PLAN: SkillDoc = Embedded {
    id: "plan",
    requires_tools: &[
        DocText::Borrowed("shell"),
        DocText::Borrowed("browse"),
        DocText::Borrowed("grep"),
        DocText::Borrowed("glob"),
        DocText::Borrowed("fetch"),
    ],
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
