// A listed document has an attribute other than `#[cfg(…)]`.
use skill_agent::manifest::__private::Embedded;
use skill_agent::manifest::SkillDoc;
use skill_agent::prelude::*;

static PLAN: SkillDoc = Embedded {
    id: "plan",
    ..Embedded::EMPTY
}
.doc();

agent! {
    struct Clerk {
        name: "clerk",
        documents: [#[allow(unused)] PLAN],
    }
}

fn main() {}
