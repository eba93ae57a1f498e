// The ids of two documents differ only in case.
use fixture_ui::desk::Desk;
use skill_agent::manifest::__private::Embedded;
use skill_agent::manifest::SkillDoc;
use skill_agent::prelude::*;

static PLAN: SkillDoc = Embedded {
    id: "plan",
    ..Embedded::EMPTY
}
.doc();

mod old {
    use super::*;

    pub(super) static PLAN: SkillDoc = Embedded {
        id: "Plan",
        ..Embedded::EMPTY
    }
    .doc();
}

agent! {
    struct Clerk {
        name: "clerk",
        skills: [Desk],
        documents: [PLAN, old::PLAN],
    }
}

fn main() {}
