// Several documents break one rule each, some of them in a folder.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::manifest::__private::Embedded;
use skill_agent::manifest::{SkillDoc, DocText};
use skill_agent::prelude::*;

/// Reads and writes.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "desk", version = "0.1.0", actions(Read, Write))]
struct Desk {}

/// Read a file.
#[action]
fn read(_: &Desk) {}

/// Write a file.
#[action]
fn write(_: &Desk) {}

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
