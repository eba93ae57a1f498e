// A document names a toolset by the name of a skill instead of its type.
use fixture_ui::desk::Desk;
use skill_agent::manifest::__private::Embedded;
use skill_agent::manifest::{SkillDoc, DocText};
use skill_agent::prelude::*;

static HELLO: SkillDoc = Embedded {
    id: "hello",
    toolsets: &[DocText::Borrowed("toolsets/index:Desks")],
    ..Embedded::EMPTY
}
.doc();

agent! {
    struct Clerk {
        name: "clerk",
        skills: [Desk],
        documents: [HELLO],
    }
}

fn main() {}
