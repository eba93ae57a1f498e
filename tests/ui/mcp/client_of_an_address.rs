// An MCP client connects to an address instead of a stream.
// Text of ours.
use skill_agent::mcp::{ConnectError, McpClient};

async fn connect() -> Result<McpClient, ConnectError> {
    McpClient::connect("127.0.0.1:4000").await
}

fn main() {}
