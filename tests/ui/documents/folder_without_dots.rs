// A list of documents is listed as a single document.
// Text of rustc, `found `&&[SkillDoc]``: docs/errors.md has the cure.
use skill_agent::manifest::__private::Embedded;
use skill_agent::manifest::SkillDoc;
use skill_agent::prelude::*;

const PLAN: SkillDoc = Embedded {
    id: "plan",
    ..Embedded::EMPTY
}
.doc();

static FOLDER: &[SkillDoc] = &[PLAN];

agent! {
    struct Clerk {
        name: "clerk",
        documents: [FOLDER],
    }
}

fn main() {}
