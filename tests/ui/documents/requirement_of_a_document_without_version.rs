// A document requires a version of another one that has none.
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
    ..Embedded::EMPTY
}
.doc();

static REVIEW: SkillDoc = Embedded {
    id: "review",
    requires: &[DocText::Borrowed("plan@^1.0")],
    ..Embedded::EMPTY
}
.doc();

agent! {
    struct Clerk {
        name: "clerk",
        skills: [Desk],
        documents: [PLAN, REVIEW],
    }
}

fn main() {}
