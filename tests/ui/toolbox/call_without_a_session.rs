// A tool is called on the toolbox instead of a session.
// Text of rustc, `E0599`: docs/toolbox.md has the cure.
use skill_agent::toolbox::{ToolError, ToolOutput, Toolbox};

async fn call(toolbox: &Toolbox) -> Result<ToolOutput, ToolError> {
    toolbox.call("add_note", "{}").await
}

fn main() {}
