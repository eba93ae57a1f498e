// An action has a mistake, and a document requires its tool.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::manifest::__private::Embedded;
use skill_agent::manifest::{InvocationMode, SkillDoc, DocText};
use skill_agent::prelude::*;

/// Reads and writes.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "desk", actions(Read, Write))]
struct Desk {}

/// Read a file.
#[action]
fn read(_: &Desk) {}

/// Write a file.
#[action(read_onyl)]
fn write(_: &Desk) {}

static PLAN: SkillDoc = Embedded {
    id: "plan",
    requires_tools: &[DocText::Borrowed("write")],
    invocation_mode: InvocationMode::ToolDispatch,
    command: Some("plan"),
    command_tool: Some("write"),
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
