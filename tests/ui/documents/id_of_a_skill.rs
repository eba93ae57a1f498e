// A document has the id of a skill.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::manifest::__private::Embedded;
use skill_agent::manifest::SkillDoc;
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

static DESK: SkillDoc = Embedded {
    id: "desk",
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
