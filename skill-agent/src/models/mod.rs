//! The JSON that model providers and protocols expect.

mod mcp;

pub use mcp::{McpTool, mcp_tool};
