// A document has the id of a mountable skill.
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
    id: "desk",
    ..Embedded::EMPTY
}
.doc();

agent! {
    struct Clerk {
        name: "clerk",
        mounted: [Desk],
        documents: [DESK],
    }
}

fn main() {}
