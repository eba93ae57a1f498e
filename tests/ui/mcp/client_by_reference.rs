// An MCP client is given by reference.
// Text of ours.
use skill_agent::mcp::McpClient;
use skill_agent::prelude::*;
use skill_agent::toolbox::{Toolbox, ToolboxError};

async fn build(client: McpClient) -> Result<Toolbox, ToolboxError> {
    Toolbox::builder().mcp("far", &client).build().await
}

fn main() {}
