// Several documents break one rule each, some of them in a folder.
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

static FOLDER: &[SkillDoc] = &[
    Embedded {
        id: "review",
        requires_tools: &[DocText::Borrowed("read")],
        ..Embedded::EMPTY
    }
    .doc(),
    Embedded {
        id: "deploy",
        command: Some("help"),
        ..Embedded::EMPTY
    }
    .doc(),
    Embedded {
        id: "plan",
        ..Embedded::EMPTY
    }
    .doc(),
];

agent! {
    struct Clerk {
        name: "clerk",
        skills: [Desk],
        documents: [PLAN, ..FOLDER],
    }
}

fn main() {}
