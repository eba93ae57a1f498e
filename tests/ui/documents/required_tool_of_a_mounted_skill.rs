// A document requires a tool of a skill that is only mounted at run time.
use skill_agent::manifest::__private::Embedded;
use skill_agent::manifest::{SkillDoc, DocText};
use skill_agent::prelude::*;

fixture_ui::desk!(actions(Read, Write));

/// Read a file.
#[action]
fn read(_: &Desk) {}

/// Write a file.
#[action]
fn write(_: &Desk) {}

static PLAN: SkillDoc = Embedded {
    id: "plan",
    requires_tools: &[DocText::Borrowed("read"), DocText::Borrowed("write")],
    ..Embedded::EMPTY
}
.doc();

agent! {
    struct Clerk {
        name: "clerk",
        mounted: [Desk],
        documents: [PLAN],
    }
}

fn main() {}
