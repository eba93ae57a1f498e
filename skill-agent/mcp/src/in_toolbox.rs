//! Adds MCP servers to a toolbox.

use crate::McpTools;
use skill_agent_toolbox::ToolboxBuilder;

/// Adds the tools of MCP servers to a [`Toolbox`](skill_agent_toolbox::Toolbox). Part of the prelude.
pub trait McpToolbox {
    /// Adds the tools of an MCP server as `{name}__{tool}`.
    ///
    /// Each call needs approval, unless the program [allows](crate::McpClient::allow) the tool or
    /// [trusts the server's hints](crate::McpClient::trust_hints).
    #[must_use = "a builder does nothing until `build`"]
    fn mcp(self, name: impl Into<String>, client: impl Into<McpTools>) -> Self;
}

impl McpToolbox for ToolboxBuilder {
    fn mcp(self, name: impl Into<String>, client: impl Into<McpTools>) -> Self {
        let name = name.into();
        let tools = client.into().named(&name);
        self.source(name, tools)
    }
}
