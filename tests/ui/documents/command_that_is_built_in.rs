// A document has a command that is built in.
use fixture_ui::desk::Desk;
use skill_agent::manifest::__private::Embedded;
use skill_agent::manifest::SkillDoc;
use skill_agent::prelude::*;

static PLAN: SkillDoc = Embedded {
    id: "plan",
    command: Some("help"),
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
