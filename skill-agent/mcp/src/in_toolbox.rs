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
    fn mcp(self, name: impl Into<String>, client: impl IntoMcpTools) -> Self;
}

impl McpToolbox for ToolboxBuilder {
    fn mcp(self, name: impl Into<String>, client: impl IntoMcpTools) -> Self {
        let name = name.into();
        let tools = client.into_mcp_tools().named(&name);
        self.source(name, tools)
    }
}

/// An [`McpClient`](crate::McpClient), or its [tools](McpTools) with some trust.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an MCP client",
    label = "not an `McpClient`",
    note = "a connection opens with `.await`, as in `McpClient::http(url).await?`; a client is given by value, so clone it to keep one"
)]
pub trait IntoMcpTools {
    #[doc(hidden)]
    fn into_mcp_tools(self) -> McpTools;
}

// without this attribute, rustc shows the bound of the impl instead of the message
#[diagnostic::do_not_recommend]
impl<T: Into<McpTools>> IntoMcpTools for T {
    fn into_mcp_tools(self) -> McpTools {
        self.into()
    }
}
