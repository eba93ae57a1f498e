// A document dispatches to a tool that the agent does not have.
use fixture_ui::desk::Desk;
use skill_agent::manifest::__private::Embedded;
use skill_agent::manifest::{InvocationMode, SkillDoc};
use skill_agent::prelude::*;

static COMPILE: SkillDoc = Embedded {
    id: "compile",
    invocation_mode: InvocationMode::ToolDispatch,
    command_tool: Some("compile_plan"),
    ..Embedded::EMPTY
}
.doc();

agent! {
    struct Clerk {
        name: "clerk",
        skills: [Desk],
        documents: [COMPILE],
    }
}

fn main() {}
