//! The JSON that model providers and protocols expect.

mod mcp;

pub use mcp::mcp_tool;
