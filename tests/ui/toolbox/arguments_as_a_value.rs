// The arguments of a call are a value instead of a text.
// Text of rustc, `E0308`: docs/toolbox.md has the cure.
use serde_json::json;
use skill_agent::toolbox::{ToolError, ToolOutput, ToolSession};

async fn call(session: &ToolSession) -> Result<ToolOutput, ToolError> {
    session.call("add_note", json!({ "text": "Buy milk." })).await
}

fn main() {}
