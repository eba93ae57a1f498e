// Two documents have mistakes of their own, and a third one breaks a rule of the agent.
use skill_agent::manifest::__private::Embedded;
use skill_agent::manifest::{SkillDoc, DocText};
use skill_agent::prelude::*;

static PLAN: SkillDoc = include_skill!("broken/plan/SKILL.md");
static REVIEW: SkillDoc = include_skill!("broken/review/SKILL.md");

static DEPLOY: SkillDoc = Embedded {
    id: "deploy",
    requires: &[DocText::Borrowed("plan"), DocText::Borrowed("review")],
    requires_tools: &[DocText::Borrowed("shell")],
    ..Embedded::EMPTY
}
.doc();

agent! {
    struct Clerk {
        name: "clerk",
        documents: [PLAN, REVIEW, DEPLOY],
    }
}

fn main() {}
