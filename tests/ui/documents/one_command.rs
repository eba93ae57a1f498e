// Two documents have the same command.
use fixture_ui::desk::Desk;
use skill_agent::manifest::__private::Embedded;
use skill_agent::manifest::SkillDoc;
use skill_agent::prelude::*;

static PLAN: SkillDoc = Embedded {
    id: "plan",
    command: Some("go"),
    ..Embedded::EMPTY
}
.doc();

static REVIEW: SkillDoc = Embedded {
    id: "review",
    command: Some("go"),
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
