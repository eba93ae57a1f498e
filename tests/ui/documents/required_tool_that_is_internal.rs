// A document requires a tool that is an internal action.
use skill_agent::manifest::__private::Embedded;
use skill_agent::manifest::{SkillDoc, DocText};
use skill_agent::prelude::*;

fixture_ui::desk!(actions(Read, Write));

/// Read a file.
#[action(internal)]
fn read(_: &Desk) {}

/// Write a file.
#[action]
fn write(_: &Desk) {}

static PLAN: SkillDoc = Embedded {
    id: "plan",
    requires_tools: &[DocText::Borrowed("read")],
    ..Embedded::EMPTY
}
.doc();

agent! {
    struct Clerk {
        name: "clerk",
        skills: [Desk],
        documents: [PLAN],
    }
}

fn main() {}
