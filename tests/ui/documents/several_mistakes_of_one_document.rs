// A document breaks several rules.
use skill_agent::manifest::__private::Embedded;
use skill_agent::manifest::{InvocationMode, SkillDoc, DocText};
use skill_agent::prelude::*;

fixture_ui::desk!(actions(Read, Write));

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
