// The connection of an MCP client is not awaited.
// Text of ours.
use skill_agent::mcp::McpClient;
use skill_agent::prelude::*;
use skill_agent::toolbox::{Toolbox, ToolboxError};

async fn build(url: String) -> Result<Toolbox, ToolboxError> {
    Toolbox::builder().mcp("far", McpClient::http(url)).build().await
}

fn main() {}
