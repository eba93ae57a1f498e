// A document breaks several rules.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::manifest::__private::Embedded;
use skill_agent::manifest::{InvocationMode, SkillDoc, DocText};
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
    id: "desk",
    command: Some("skills"),
    invocation_mode: InvocationMode::ToolDispatch,
    command_tool: Some("plan"),
    requires_tools: &[DocText::Borrowed("shell"), DocText::Borrowed("raed")],
    toolsets: &[DocText::Borrowed("toolsets/index:PlanTools")],
    requires: &[DocText::Borrowed("calendar"), DocText::Borrowed("clock")],
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
