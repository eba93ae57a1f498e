// Two documents have the same id.
use fixture_ui::desk::Desk;
use skill_agent::manifest::__private::Embedded;
use skill_agent::manifest::SkillDoc;
use skill_agent::prelude::*;

static PLAN: SkillDoc = Embedded {
    id: "plan",
    ..Embedded::EMPTY
}
.doc();

const OTHER: SkillDoc = Embedded {
    id: "plan",
    command: Some("plan"),
    ..Embedded::EMPTY
}
.doc();

agent! {
    struct Clerk {
        name: "clerk",
        skills: [Desk],
        documents: [PLAN, OTHER],
    }
}

fn main() {}
