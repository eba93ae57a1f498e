// The `agent!` of `skill-core` does not support documents.
use skill_agent::manifest::__private::Embedded;
use skill_agent::manifest::SkillDoc;
use skill_core::agent;

static PLAN: SkillDoc = Embedded {
    id: "plan",
    ..Embedded::EMPTY
}
.doc();

agent! {
    struct Clerk {
        name: "clerk",
        documents: [PLAN],
    }
}

fn main() {}
