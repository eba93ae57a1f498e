// The id of a document differs from the name of a skill only in case.
use skill_agent::manifest::__private::Embedded;
use skill_agent::manifest::SkillDoc;
use skill_agent::prelude::*;

fixture_ui::desk!(actions(Read, Write));

/// Read a file.
#[action]
fn read(_: &Desk) {}

/// Write a file.
#[action]
fn write(_: &Desk) {}

static DESK: SkillDoc = Embedded {
    id: "Desk",
    ..Embedded::EMPTY
}
.doc();

agent! {
    struct Clerk {
        name: "clerk",
        skills: [Desk],
        documents: [DESK],
    }
}

fn main() {}
